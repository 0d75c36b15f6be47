import { expect, test } from 'vitest';
import { z } from 'zod';
import { sourceContracts } from './contracts.ts';
import { bindSource, polledSources } from './runners.ts';
import { type SourceItem, sourceContract } from './source.ts';
import { offline } from './testing/offline.ts';

test('every kind has words for its label, help and settings, and its folder has its name', () => {
  for (const [kind, contract] of Object.entries(sourceContracts)) {
    expect(contract.kind).toBe(kind);
    const settings = Object.keys(contract.settings.shape).map((name) => `settings.${name}`);
    const words: Record<string, string> = contract.messages.en;
    for (const code of ['label', 'help', ...settings]) expect(words[code], `${kind} ${code}`).toBeTruthy();
  }
});

test('every polled kind can be polled, and no other', () => {
  const polled = Object.values(sourceContracts).filter(({ isPolled }) => isPolled);
  expect([...polledSources.keys()]).toEqual(polled.map(({ kind }) => kind));
});

test('a poll passes its kind parsed input, and starts from the beginning where the stored cursor does not fit', async () => {
  const words = { label: 'Test' };
  const contract = sourceContract({
    kind: 'test',
    version: 1,
    settings: z.object({ connectionId: z.string(), size: z.number().default(3) }),
    connection: { profile: 'cloudStorage', settings: z.object({ user: z.string() }), secret: z.string() },
    cursor: z.object({ token: z.string() }),
    sessionSource: 'CloudFolder',
    isPolled: true,
    icon: '',
    group: 'cloud',
    messages: { en: words, zh: words, fr: words, es: words, pt: words, 'it-IT': words },
  });
  const asked: unknown[] = [];
  const source = bindSource(contract, async () => ({
    // biome-ignore lint/correctness/useYield: this source is empty
    run: async function* ({ settings, connection, cursor }) {
      asked.push([settings.size, connection.settings.user, connection.secret, cursor?.token]);
      return { token: 'end' };
    },
  }));
  const { signal } = new AbortController();
  const tools = { root: '', memory: new Map(), now: () => 0, addressOf: async () => '', ...offline };
  const poll = async (change: object) => {
    const connection = { settings: { user: 'anna' }, secret: 'pass' };
    const items: SourceItem[] = [];
    for await (const item of source.poll({ settings: { connectionId: 'c' }, connection, signal, tools, ...change }))
      items.push(item);
    return items;
  };
  expect(await poll({ cursor: { token: 'a' } })).toEqual([]);
  await poll({ cursor: { other: 1 } });
  expect(asked).toEqual([
    [3, 'anna', 'pass', 'a'],
    [3, 'anna', 'pass', undefined],
  ]);
  const fault = (code: string, params: object) => expect.objectContaining({ code, params });
  await expect(poll({ settings: { connectionId: 'c', size: 'big' } })).rejects.toEqual(
    fault('source.settingsInvalid', { field: 'size' }),
  );
  await expect(poll({ connection: undefined })).rejects.toEqual(fault('source.connectionMissing', {}));
  // The error about a secret contains no part of it.
  await expect(poll({ connection: { settings: { user: 'anna' }, secret: { password: 1 } } })).rejects.toEqual(
    fault('source.settingsInvalid', { field: 'secret' }),
  );
});
