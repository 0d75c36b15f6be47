import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type Certificate, certificateRecordName, declinedPagesOf, type ProofRecord } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';
import { readRecord, type SealFault, sealFault } from '@pdf2press/engine/secrets';
import { runTask } from '@pdf2press/tasks';
import { parsed } from './arguments.ts';
import { exitCodes, oneLine, UsageError, withWorkDir } from './file-work.ts';
import { readKey } from './read-key.ts';

const usage = 'usage: pdf2press verify CERTIFICATE.pdf [FILE …] --key KEY.pem';

const told: Readonly<Record<SealFault | 'brokenRecord', string>> = {
  notSigned: 'this is no certificate, or something was cut off or added at its end',
  changed: 'the bytes are not those that were signed',
  otherKey: 'it is signed with another key than this one',
  brokenRecord: 'its record contradicts itself',
};

/** Larger than any certificate that is issued. */
const maxBytes = 2 ** 30;

/**
 * `pdf2press verify`: whether a certificate of decisions on a proof is as it was signed, and whether files are those that
 * it names. Needs no connection. Exit code 1 when anything does not belong together.
 */
export const run = (args: string[]): Promise<number> =>
  withWorkDir(async (workDir, signal) => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({ args, allowPositionals: true, options: { key: { type: 'string' } } }),
    );
    const [file, ...others] = positionals;
    // Without a key to compare, whoever forges a certificate could sign it with a key of their own.
    if (file === undefined || values.key === undefined) throw new UsageError(usage);
    const key = await readKey(values.key);
    const bytes = await readCertificate(file);
    const fault = sealFault(bytes, key);
    if (fault) return refused(file, told[fault]);
    const read = await recordOf(bytes, { workDir, signal });
    if (!read) return refused(file, told.brokenRecord);
    const { certificate, records } = read;
    console.log(oneLine(`OK ${file}: ${certificate.fileName}, version ${certificate.version} of the proof`));
    for (const { no, record } of records) console.log(oneLine(`   ${no} ${decisionTold(record)}`));
    let worst: number = exitCodes.done;
    for (const other of others) worst = Math.max(worst, await compare(other, certificate, records));
    return worst;
  });

async function readCertificate(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > maxBytes) throw new FileFaultError('PDF_TOO_LARGE', { bytes: size, limit: maxBytes });
  return readFile(file);
}

/** The record in a certificate; null when it is missing or contradicts itself. */
async function recordOf(bytes: Buffer, { workDir, signal }: { workDir: string; signal: AbortSignal }) {
  const copy = path.join(workDir, 'certificate.pdf');
  await writeFile(copy, bytes);
  const params = { path: copy, name: certificateRecordName };
  const { text } = await runTask('attachment', params, { workDir, signal, isUrgent: true });
  try {
    return text === null ? null : readRecord(text);
  } catch {
    return null;
  }
}

const decisionTold = ({
  decision,
  name,
  email,
  title,
  at,
  onBehalf,
  notes,
  pages,
  asked,
  signature,
  replaces,
}: ProofRecord): string =>
  [
    decision,
    [name, title, email].filter(Boolean).join(', '),
    at,
    signature && `signed by typing ${signature}`,
    replaces !== undefined && `replaces decision ${replaces}`,
    asked?.isGatekeeper && 'gatekeeper',
    onBehalf && `decided by ${onBehalf.by}`,
    pages && `decided page by page: ${pagesTold(pages)}`,
    notes && notes.length > 0 && `notes: ${notes.length}`,
  ]
    .filter(Boolean)
    .join(' · ');

function pagesTold(pages: NonNullable<ProofRecord['pages']>): string {
  const declined = declinedPagesOf(pages);
  return declined.length === 0 ? `all ${pages.length} approved` : `declined ${declined.join(', ')} of ${pages.length}`;
}

function refused(file: string, why: string): number {
  console.log(oneLine(`REFUSED ${file}: ${why}`));
  return exitCodes.resultIsError;
}

async function compare(
  file: string,
  certificate: Certificate,
  records: readonly { record: ProofRecord }[],
): Promise<number> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const sha256 = hash.digest('hex');
  if (sha256 === certificate.proofSha256) {
    const decisions = [...new Set(records.map(({ record }) => record.decision))].join(', ');
    console.log(oneLine(`OK ${file}: this very file was decided on: ${decisions}`));
    return exitCodes.done;
  }
  if (sha256 === certificate.originalSha256)
    return refused(file, 'this is the file as it came, not the one that was decided on');
  return refused(file, 'this is not the file that was decided on');
}
