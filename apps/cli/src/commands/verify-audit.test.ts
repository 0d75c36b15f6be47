import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AuditExport } from '@pdf2press/contract';
import { afterAll, expect, test, vi } from 'vitest';
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
