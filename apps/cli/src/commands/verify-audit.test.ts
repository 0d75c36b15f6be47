import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AuditAnchors, AuditExport } from '@pdf2press/contract';
import { certificateKey, type InstanceKeys, signAnchor } from '@pdf2press/engine/secrets';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { run } from './verify-audit.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'verify-audit-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);

/** A chain as the database makes it. */
function chain(count: number, name = 'Ana'): AuditExport {
  let previousHash = '';
  const entries = Array.from({ length: count }, (_, index) => {
    const no = index + 1;
    const actor = { kind: 'user', id: 'usr_1', name };
    const text = JSON.stringify([
      'sub_1',
      no,
      actor,
      'role.create',
      'rol_1',
      null,
      { name: 'Press' },
      null,
      1_764_110_000 + no,
    ]);
    const hash = createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(text).digest('hex');
    const entry = {
      ...{ no, at: new Date((1_764_110_000 + no) * 1000).toISOString(), act: 'role.create', actor, ip: null },
      ...{ object: { kind: 'role' as const, id: 'rol_1', name: null }, before: null, after: { name: 'Press' } },
      ...{ text, previousHash, hash },
    };
    previousHash = hash;
    return entry;
  });
  return {
    ...{ format: 'pdf2press-audit', formatVersion: 1, subscriberId: 'sub_1', filter: {}, entries },
    exportedAt: '2026-11-25T22:00:00.000Z',
  };
}

async function verdict(content: unknown, ...earlier: AuditExport[]): Promise<{ code: number; lines: string }> {
  writeFileSync(at('audit.json'), typeof content === 'string' ? content : JSON.stringify(content));
  const others = earlier.map((one, index) => {
    writeFileSync(at(`earlier-${index}.json`), JSON.stringify(one));
    return at(`earlier-${index}.json`);
  });
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const code = await run([at('audit.json'), ...others]);
    return { code, lines: log.mock.calls.flat().join('\n') };
  } finally {
    log.mockRestore();
  }
}

test('a whole export is told with the end of its chain', async () => {
  const whole = chain(5);
  const { code, lines } = await verdict(whole);
  expect(code).toBe(0);
  expect(lines).toContain('unbroken, 5 entries; the last is 5');
  expect(lines).toContain(whole.entries[4]?.hash);
});

const forgeries: Record<string, (whole: AuditExport) => unknown> = {
  'an entry is missing': ({ entries, ...head }) => ({ ...head, entries: entries.toSpliced(2, 1) }),
  'two entries are swapped': ({ entries, ...head }) => ({ ...head, entries: entries.toReversed() }),
  'a name is another': ({ entries, ...head }) => ({
    ...head,
    entries: entries.map((entry) => ({ ...entry, actor: { ...entry.actor, name: 'Eve' } })),
  }),
  'a text is another': ({ entries, ...head }) => ({
    ...head,
    entries: entries.map((entry) => ({ ...entry, text: entry.text.replace('Ana', 'Eve') })),
  }),
  'it is of another subscriber': (whole) => ({ ...whole, subscriberId: 'sub_2' }),
  'it is something else': () => ({ format: 'pdf2press-workflow' }),
  'it is cut off': (whole) => JSON.stringify(whole).slice(0, -20),
};
test.each(Object.keys(forgeries))('refused: %s', async (name) => {
  const { code, lines } = await verdict(forgeries[name]?.(chain(5)));
  expect(lines).toMatch(/^REFUSED/);
  expect(lines).not.toContain('OK');
  expect(code).toBe(1);
});

test('entries of an earlier export that were cut off at the end or written anew are told', async () => {
  expect(await verdict(chain(5), chain(3), chain(5))).toMatchObject({ code: 0 });
  const cut = await verdict(chain(4), chain(5));
  expect(cut.code).toBe(1);
  expect(cut.lines).toContain('its entry 5 is not in');
  const anew = await verdict(chain(5, 'Eve'), chain(5));
  expect(anew.code).toBe(1);
  expect(anew.lines).toContain('its entry 1 is not in');
});

test('wrong usage is told', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await run([])).toBe(2);
  error.mockRestore();
});

describe('with anchors', () => {
  const keys: InstanceKeys = {
    derive: (purpose) => createHash('sha256').update(`one ${purpose}`).digest(),
    wrappingKeyId: '',
  };
  const others: InstanceKeys = { ...keys, derive: (purpose) => createHash('sha256').update(`two ${purpose}`).digest() };

  const anchorsOf = (whole: AuditExport, numbers: readonly number[], by = keys): AuditAnchors => ({
    ...{ format: 'pdf2press-audit-anchors', formatVersion: 1, subscriberId: 'sub_1' },
    exportedAt: '2026-11-25T22:00:00.000Z',
    anchors: numbers.map((no) => {
      const hash = whole.entries[no - 1]?.hash ?? '';
      return signAnchor(by, 'sub_1', { day: `2026-11-0${no}`, no, hash, at: `2026-11-0${no}T03:00:00.000Z` });
    }),
  });
  async function judged(content: unknown, anchors: unknown): Promise<{ code: number; lines: string }> {
    writeFileSync(at('audit.json'), JSON.stringify(content));
    writeFileSync(at('anchors.json'), JSON.stringify(anchors));
    writeFileSync(at('key.pem'), certificateKey(keys));
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      const code = await run([at('audit.json'), '--anchors', at('anchors.json'), '--key', at('key.pem')]);
      return { code, lines: log.mock.calls.flat().join('\n') };
    } finally {
      log.mockRestore();
    }
  }

  test('an export in which they hold is told', async () => {
    const { code, lines } = await judged(chain(5), anchorsOf(chain(5), [2, 4]));
    expect([code, lines]).toEqual([0, expect.stringContaining('2 of 2 anchors hold')]);
  });

  test('a chain made anew as a whole is found out, though it fits in itself', async () => {
    const forged = chain(5, 'Eve');
    expect((await verdict(forged)).code).toBe(0);
    const { code, lines } = await judged(forged, anchorsOf(chain(5), [2, 4]));
    expect(code).toBe(1);
    expect(lines).toContain('entry 2 is another than the one that was signed');
    expect(lines).toContain('entry 4 is another than the one that was signed');
  });

  test('a chain that was cut off is found out', async () => {
    const { code, lines } = await judged(chain(3), anchorsOf(chain(5), [2, 4]));
    expect([code, lines]).toEqual([1, expect.stringContaining('entry 4 is no longer there')]);
  });

  test('anchors that somebody else signed, or of another subscriber, or no anchors, are refused', async () => {
    const forged = chain(5, 'Eve');
    const { lines, code } = await judged(forged, anchorsOf(forged, [2], others));
    expect([code, lines]).toEqual([1, expect.stringContaining('not signed with this key')]);
    expect((await judged(chain(5), { ...anchorsOf(chain(5), [2]), subscriberId: 'sub_2' })).code).toBe(1);
    expect((await judged(chain(5), chain(5))).code).toBe(1);
  });

  test('of a filtered export only what it holds is judged', async () => {
    const { entries, ...head } = chain(5);
    const filtered = { ...head, filter: { kind: 'role' }, entries: entries.slice(0, 3) };
    const { code, lines } = await judged(filtered, anchorsOf(chain(5), [2, 4]));
    expect([code, lines]).toEqual([0, expect.stringContaining('1 of 2 anchors hold')]);
  });

  test('anchors without the key prove nothing', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      expect(await run([at('audit.json'), '--anchors', at('anchors.json')])).toBe(2);
      writeFileSync(at('no-key.pem'), 'x');
      expect(await run([at('audit.json'), '--anchors', at('anchors.json'), '--key', at('no-key.pem')])).toBe(2);
    } finally {
      error.mockRestore();
    }
  });
});
