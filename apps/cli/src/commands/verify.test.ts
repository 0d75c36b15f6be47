import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sampled } from '@pdf2press/config/by-day';
import type { Certificate, ProofRecord } from '@pdf2press/contract';
import { certificateKey, openInstanceKeys, readRecord, signCertificate } from '@pdf2press/engine/secrets';
import { openPdf } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { pdfOf } from '@pdf2press/preflight/testing';
import { runTask } from '@pdf2press/tasks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { run } from './verify.ts';

/** A certificate that is whole, and everything that somebody may have done to it. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'verify-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const keysOf = (secretKey: string) => openInstanceKeys({ dataDir: folder, secretKey });

const proof = Buffer.from(pdfOf({ content: '0 0 1 0 k 10 10 100 100 re f' }));
const original = Buffer.from(pdfOf({ content: '1 0 0 rg 10 10 100 100 re f' }));
const record: ProofRecord = {
  ...({
    format: 'pdf2press-proof-decision',
    formatVersion: 1,
    sessionId: 's1',
    stepRunId: 'r1',
    proofId: 'p1',
  } as const),
  ...({ version: 1, fileName: 'card.pdf', proofSha256: sha(proof), originalSha256: sha(original) } as const),
  ...({ decision: 'Approved', policy: 'ConfirmIfError', level: 'Success', acceptedFindingIds: [] } as const),
  ...{ reason: '', comment: '', name: 'Anna Weber', email: 'anna@customer.test', title: '', checkboxes: [] },
  ...{
    legalText: null,
    link: { recipientId: 'q1', no: 1, sentTo: 'anna@customer.test', isCodeEntered: true },
    onBehalf: null,
  },
  ...({ ip: '192.0.2.1', userAgent: 'test', locale: 'en', at: '2026-11-23T20:00:00.000Z', timeZone: 'UTC' } as const),
  signature: 'Anna Weber',
  label: 'Print it',
  notes: null,
  pages: null,
  asked: { mode: 'Quorum', quorum: 2, isGatekeeper: true },
};

const note = {
  ...{ id: 'n1', no: 1, page: 1, box: [10, 10, 20, 20], mark: 'place', path: [], text: 'Move the logo up' },
  ...{
    by: 'Anna Weber',
    isHouse: false,
    at: '2026-11-23T19:50:00.000Z',
    isToDo: false,
    resolvedAt: '2026-11-23T19:58:00.000Z',
  },
  files: [{ id: 'f1', name: 'logo.png', mediaType: 'image/png', size: 4, sha256: sha(Buffer.from('logo')) }],
  answers: [
    {
      ...{ id: 'n2', text: 'Moved by 3 mm', by: 'Ben Meyer', isHouse: true, at: '2026-11-23T19:55:00.000Z' },
      ...{ files: [], repliesToId: null },
    },
  ],
} satisfies NonNullable<ProofRecord['notes']>[number];
record.notes = [note];

function chained(of: ProofRecord): Certificate['records'][number] {
  const text = JSON.stringify(['sub', 1, 'd1', of.proofId, 'q1', of.decision, of]);
  return { previousHash: '', hash: createHash('sha256').update(text).digest('hex'), text };
}
const certificateOf = (of: ProofRecord): Certificate => ({
  ...({ format: 'pdf2press-proof-certificate', formatVersion: 1, issuedAt: '2026-11-23T20:01:00.000Z' } as const),
  ...{ issuer: { name: 'Paper + Ink', address: 'https://proof.test' }, sessionId: 's1', proofId: 'p1', version: 1 },
  ...{ fileName: 'card.pdf', pageCount: 1, proofSha256: sha(proof), productionSha256: sha(proof) },
  ...{ originalSha256: sha(original), records: [chained(of)] },
});

/** A certificate by the product's own way: drawn, and signed with the keys of an installation. */
async function issue(certificate: Certificate, secret = 'a'.repeat(40), shown = 'proof.pdf'): Promise<Buffer> {
  const workDir = mkdtempSync(at('work-'));
  const recordPath = path.join(workDir, 'record.json');
  writeFileSync(recordPath, JSON.stringify(certificate));
  const house = { name: 'Paper + Ink', colour: null, logoPath: null };
  const { name } = await runTask('certificate', { path: at(shown), recordPath, locale: 'en', house }, { workDir });
  return signCertificate(readFileSync(path.join(workDir, name)), await keysOf(secret));
}

async function verdict(bytes: Buffer, ...files: string[]): Promise<{ code: number; lines: string }> {
  writeFileSync(at('certificate.pdf'), bytes);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const code = await run([at('certificate.pdf'), ...files.map(at), '--key', at('key.pem')]);
    return { code, lines: log.mock.calls.flat().join('\n') };
  } finally {
    log.mockRestore();
  }
}

let whole: Buffer;
/** Another certificate of the same house: of a declined proof. */
let declined: Buffer;
beforeAll(async () => {
  writeFileSync(at('proof.pdf'), proof);
  writeFileSync(at('original.pdf'), original);
  const touched = Buffer.from(proof);
  touched[touched.length - 8] = (touched.at(-8) ?? 0) ^ 1;
  writeFileSync(at('touched.pdf'), touched);
  writeFileSync(at('longer.pdf'), Buffer.concat([proof, Buffer.from('\n')]));
  writeFileSync(at('key.pem'), certificateKey(await keysOf('a'.repeat(40))));
  whole = await issue(certificateOf(record));
  const pages = [
    { page: 1, decision: 'Approved', reason: '' },
    { page: 2, decision: 'Declined', reason: 'The street is wrong' },
  ] satisfies ProofRecord['pages'];
  declined = await issue(certificateOf({ ...record, decision: 'Declined', pages }));
}, 120_000);

/** The text of all pages of a PDF. */
function textIn(file: string): string {
  const opened = openPdf({ path: file });
  try {
    return opened.pages.map((_, at) => opened.engine.loadPage(at).toStructuredText('').asText()).join('\n');
  } finally {
    opened.close();
  }
}

test('a page of which no picture can be made is named as such, and the certificate is whole', async () => {
  const [mediaBox, content] = [[0, 0, 200, 100], '0 0 1 0 k 10 10 100 50 re f'];
  const nested = { mediaBox, content: '['.repeat(20_000) };
  const file = Buffer.from(buildPdf({ pages: [{ mediaBox, content }, nested, { mediaBox, content }] }));
  writeFileSync(at('nested.pdf'), file);
  const of = { ...record, proofSha256: sha(file) };
  const issued = await issue(
    { ...certificateOf(of), pageCount: 3, proofSha256: sha(file), productionSha256: sha(file) },
    undefined,
    'nested.pdf',
  );
  expect((await verdict(issued, 'nested.pdf')).code).toBe(0);
  expect(textIn(at('certificate.pdf')).match(/This page cannot be drawn/g)).toHaveLength(1);
  expect((await verdict(whole, 'proof.pdf')).code).toBe(0);
  expect(textIn(at('certificate.pdf'))).not.toContain('cannot be drawn');
});

test('a certificate and its file belong together, and the decision is told', async () => {
  const { code, lines } = await verdict(whole, 'proof.pdf');
  expect(code).toBe(0);
  expect(lines).toContain('Approved · Anna Weber');
  expect(lines).toContain('this very file was decided on: Approved');
  expect(lines).toContain('notes: 1');
  expect(lines).toContain('gatekeeper');
  expect(lines).toContain('signed by typing Anna Weber');
  const other = await verdict(declined, 'proof.pdf');
  expect(other.lines).toContain('decided on: Declined');
  expect(other.lines).toContain('page by page: declined 2 of 2');
});

const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;

test.skipIf(!hasPoppler)(
  'the notes that stood are on the pages, with their answers and their state and so are the pages that were declined (skipped without poppler)',
  async () => {
    writeFileSync(at('read.pdf'), whole);
    const { stdout } = spawnSync('pdftotext', ['-enc', 'UTF-8', at('read.pdf'), '-'], { encoding: 'utf8' });
    for (const line of [
      'Notes that stood at decision 1',
      'Move the logo up',
      'Moved by 3 mm',
      'Ben Meyer (print shop)',
      'Asked as a gatekeeper, before the others',
      'Called “Print it” on the proof',
      'Signed by typing the name: Anna Weber',
      'Opened with a code that was sent to this address',
      '2 of those who are asked must approve',
    ])
      expect(stdout).toContain(line);
    expect(stdout).toMatch(/Ticked off: November 23, 2026/);
    writeFileSync(at('read.pdf'), declined);
    const { stdout: other } = spawnSync('pdftotext', [at('read.pdf'), '-'], { encoding: 'utf8' });
    expect(other).toContain('Page 2 declined: The street is wrong');
    expect(other).toContain('1 page approved');
  },
);

test('a record from before notes, pages and the manner of asking were kept is still read', async () => {
  const { notes: _, pages: __, asked: ___, ...before } = record;
  const old = await issue(certificateOf(before as ProofRecord));
  expect((await verdict(old, 'proof.pdf')).code).toBe(0);
});

describe('more notes than a record carries', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ ...note, id: `n${at}`, no: at + 1, text: `Remark ${at}` }));
  const list = JSON.stringify(many);
  const beside = { notes: null, notesBeside: { count: many.length, sha256: sha(Buffer.from(list)) } };
  const besides = (notes: string): Certificate => ({
    ...certificateOf({ ...record, ...beside }),
    notes: { [beside.notesBeside.sha256]: notes },
  });

  test('stand in the certificate: the first on its pages, all of them in what it embeds', async () => {
    const issued = await issue(besides(list));
    const { code, lines } = await verdict(issued, 'proof.pdf');
    expect([code, lines]).toEqual([0, expect.stringContaining('notes: 10000')]);
    expect(issued.length).toBeLessThan(4 * 2 ** 20);
    if (!hasPoppler) return;
    writeFileSync(at('read.pdf'), issued);
    const { stdout } = spawnSync('pdftotext', [at('read.pdf'), '-'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    expect(stdout).toContain('Remark 499');
    expect(stdout).not.toContain('Remark 500');
    expect(stdout).toContain('9500 more notes in the record that is embedded in this file');
  }, 120_000);

  test('a word that is changed in them, or a list that is left out, is refused', async () => {
    for (const forged of [besides(list.replace('Remark 9999', 'Remark 9998')), { ...besides(list), notes: {} }]) {
      expect(() => readRecord(JSON.stringify(besides(list)))).not.toThrow();
      expect(() => readRecord(JSON.stringify(forged))).toThrow();
    }
  });
});

/** The bytes with one bit turned over. */
const flipped = (bytes: Buffer, position: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[position] = (copy.at(position) ?? 0) ^ 1;
  return copy;
};
const lastLine = (bytes: Buffer) => bytes.subarray(bytes.length - 220);
const documentOf = (bytes: Buffer) => bytes.subarray(0, bytes.length - 220);
/** An incremental update as any PDF program appends it. */
const update = Buffer.from('1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 0\ntrailer\n<< >>\nstartxref\n0\n%%EOF\n');
const otherKey = 'b'.repeat(40);
/** A chained record whose text was changed and whose hash was not. */
const edited = (from: string, to: string): Certificate => {
  const certificate = certificateOf(record);
  const [one] = certificate.records;
  if (!one?.text.includes(from)) throw new Error(`no ${from}`);
  return { ...certificate, records: [{ ...one, text: one.text.replace(from, to) }] };
};

const forgeries: Record<string, () => Buffer | Promise<Buffer>> = {
  'the first byte': () => flipped(whole, 0),
  'a byte of the header': () => flipped(whole, 7),
  'a byte in the middle': () => flipped(whole, Math.floor(whole.length / 2)),
  'a byte of a picture of a page': () => flipped(whole, whole.indexOf('stream') + 40),
  'the last byte of the document': () => flipped(whole, documentOf(whole).length - 1),
  'a byte of the key': () => flipped(whole, whole.length - 150),
  'a byte of the signature': () => flipped(whole, whole.length - 20),
  'the signature in capitals': () =>
    Buffer.concat([
      documentOf(whole),
      Buffer.from(
        lastLine(whole)
          .toString()
          .replace(/[0-9a-f]{128}/, (hex) => hex.toUpperCase()),
      ),
    ]),
  'the last byte': () => flipped(whole, whole.length - 1),
  'cut by a byte': () => whole.subarray(0, -1),
  'cut in the middle': () => whole.subarray(0, Math.floor(whole.length / 2)),
  'without its signature': () => documentOf(whole),
  empty: () => Buffer.alloc(0),
  'an update behind the signature': () => Buffer.concat([whole, update]),
  'an update before the signature': () => Buffer.concat([documentOf(whole), update, lastLine(whole)]),
  'a blank behind the signature': () => Buffer.concat([whole, Buffer.from(' ')]),
  'bytes before the document': () => Buffer.concat([Buffer.from('\n'), whole]),
  'the signature of another certificate': () => Buffer.concat([documentOf(whole), lastLine(declined)]),
  'signed again by somebody else': () => issue(certificateOf(record), otherKey),
  'a document of another house under our key line': async () => {
    const foreign = await issue(certificateOf(record), otherKey);
    const key = /1 ([0-9a-f]{64}) /.exec(lastLine(whole).toString())?.[1] ?? '';
    const line = lastLine(foreign)
      .toString()
      .replace(/1 [0-9a-f]{64} /, `1 ${key} `);
    return Buffer.concat([documentOf(foreign), Buffer.from(line)]);
  },
};

/** Even with the installation's key: the decision is chained, so that its text cannot be exchanged alone. */
const edits: typeof forgeries = {
  'another name in the record': () => issue(edited('Anna Weber', 'Ben Meyer')),
  'another time in the record': () => issue(edited('2026-11-23T20:00', '2026-11-22T20:00')),
  'another decision in the record': () => issue(edited('"Approved",{', '"Declined",{')),
  'another note in the record': () => issue(edited('Move the logo up', 'Move the logo down')),
  'another answer to a note in the record': () => issue(edited('Moved by 3 mm', 'Moved by 9 mm')),
  'a note that was ticked off, as open': () => issue(edited(`"resolvedAt":"${note.resolvedAt}"`, '"resolvedAt":null')),
  'a note at another place': () => issue(edited('[10,10,20,20]', '[10,10,20,90]')),
  'a record without its notes': () => issue(edited(JSON.stringify([note]), '[]')),
};

/** Records that fit themselves, and not what the certificate says of them. */
const misfits: typeof forgeries = {
  'a record of another proof': () => issue({ ...certificateOf({ ...record, proofId: 'p2' }), proofId: 'p1' }),
  'a record of another file': () => issue(certificateOf({ ...record, proofSha256: sha(original) })),
  'production bytes that are not the decided ones': () =>
    issue({ ...certificateOf(record), productionSha256: sha(original) }),
};

// By day one in four of those that are issued and found out in the same way.
const tried = [...Object.entries({ ...forgeries, ...misfits }), ...sampled(Object.entries(edits), 4)];
test.each(tried)('refused: %s', async (_, forge) => {
  const forged = await forge();
  expect(forged.equals(whole)).toBe(false);
  const { code, lines } = await verdict(forged, 'proof.pdf');
  expect(lines).toMatch(/^REFUSED/);
  expect(lines).not.toContain('OK');
  expect(code).toBe(1);
});

test.each(['touched.pdf', 'longer.pdf', 'original.pdf'])(
  'a file that was not decided on does not pass: %s',
  async (file) => {
    const { code, lines } = await verdict(whole, file);
    expect(code).toBe(1);
    expect(lines).toMatch(new RegExp(`REFUSED .*${file}`));
  },
);

test('every single bit of the last line counts', async () => {
  for (let back = 1; back <= 220; back += 7) {
    for (const bit of [1, 4, 32]) {
      const copy = Buffer.from(whole);
      copy[copy.length - back] = (copy.at(-back) ?? 0) ^ bit;
      expect((await verdict(copy)).code, `byte ${back} from the end`).toBe(1);
    }
  }
});

test('without the key of the house nothing is believed', async () => {
  writeFileSync(at('certificate.pdf'), whole);
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await run([at('certificate.pdf')])).toBe(2);
  writeFileSync(at('no-key.pem'), 'hello');
  expect(await run([at('certificate.pdf'), '--key', at('no-key.pem')])).toBe(2);
  error.mockRestore();
});
