/* A source for tests ("shelf"): the files of a folder in the order of their names, with a connection and a cursor. */
import { appendFile, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MessageFiles } from '@pdf2press/contract';
import { type SourceRunner, sourceContract } from '@pdf2press/sources/contracts';
import { bindSource, type PolledSource } from '@pdf2press/sources/runners';
import { z } from 'zod';

const words = { label: 'Shelf' };
const messages: MessageFiles = { en: words, zh: words, fr: words, es: words, pt: words, 'it-IT': words };

const shelfContract = sourceContract({
  kind: 'shelf',
  version: 1,
  settings: z.object({ path: z.string(), connectionId: z.string() }),
  placeSettings: ['path'],
  connection: {
    profile: 'cloudStorage',
    settings: z.object({ user: z.string() }),
    secret: z.object({ password: z.string() }),
  },
  cursor: z.string(),
  sessionSource: 'CloudFolder',
  isPolled: true,
  limitSeconds: 1,
  icon: 'M4 4v16M8 4v16',
  group: 'cloud',
  messages,
});

/**
 * Files in the folder control its behaviour: `.hang` = it never answers, `.hang-download` = no byte ever arrives, `.down` =
 * it cannot be reached, `.broken` = the download of its first file fails.
 */
const run: SourceRunner<typeof shelfContract> = async function* ({ settings, connection, cursor = '', tools }) {
  const folder = path.join(tools.root, settings.path);
  const names = (await readdir(folder)).sort();
  const forever = () => new Promise<never>(() => undefined);
  await appendFile(path.join(tools.root, 'polls.log'), `${settings.path} ${process.pid} ${cursor}\n`);
  if (names.includes('.hang')) await forever();
  if (names.includes('.down'))
    throw Object.assign(new Error(`${connection.settings.user}:${connection.secret.password} refused`), {
      code: 'ECONNREFUSED',
      config: { auth: connection.secret },
    });
  for (const name of names.filter((one) => !one.startsWith('.') && one > cursor))
    yield {
      externalId: `${settings.path}/${name}`,
      name,
      sourceName: settings.path,
      cursorAfter: name,
      open: async function* () {
        if (names.includes('.hang-download')) await forever();
        if (names.includes('.broken') && name === names.find((one) => !one.startsWith('.'))) throw new Error('broken');
        yield await readFile(path.join(folder, name));
      },
      settle: (outcome) => appendFile(path.join(tools.root, 'settled.log'), `${settings.path}/${name} ${outcome}\n`),
    };
  return undefined;
};

export const shelf: PolledSource = bindSource(shelfContract, async () => ({ run }));
