import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const registry = 'virtual:step-words';
const steps = fileURLToPath(new URL('../../packages/steps/dist/', import.meta.url));
const messageFile = /^messages\.([\w-]+)\.json$/;

/** The messages of every folder of `packages/steps` in a language, by the folder's name; `''` is the room itself. */
async function wordsIn(locale: string): Promise<Record<string, unknown>> {
  const files = (await readdir(steps, { recursive: true })).filter((file) => file.endsWith(`messages.${locale}.json`));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [
        file.slice(0, -`messages.${locale}.json`.length).replace(/[\\/]$/, ''),
        JSON.parse(await readFile(join(steps, file), 'utf8')) as unknown,
      ]),
    ),
  );
}

/** Objects that the contracts hold as their messages. They are empty until `fill` brings the words of their language. */
const registryCode = `
const all = {};
export const wordsAt = (locale, folder) => ((all[locale] ??= {})[folder] ??= {});
export const fill = (locale, folders) => {
  for (const [folder, words] of Object.entries(folders)) Object.assign(wordsAt(locale, folder), words);
};`;

/**
 * The contracts of steps carry their words in six languages. In a build `virtual:step-words/<locale>` has those of one
 * language and the contracts are without any, so that a page loads the language that is shown.
 */
export const stepWords: Plugin = {
  name: 'words of steps, one language at a time',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id === registry || id.startsWith(`${registry}/`)) return `\0${id}`;
    const locale = messageFile.exec(id.split('/').at(-1) ?? '')?.[1];
    const file = importer && id.startsWith('./') ? join(importer, '..', id) : '';
    if (this.environment.mode !== 'build' || !locale || !file.startsWith(steps)) return null;
    return `\0${registry}-of/${locale}/${file.slice(steps.length).split('/').slice(0, -1).join('/')}`;
  },
  async load(id) {
    if (id === `\0${registry}`) return registryCode;
    if (id.startsWith(`\0${registry}/`))
      return `export default ${JSON.stringify(await wordsIn(id.slice(registry.length + 2)))};`;
    if (!id.startsWith(`\0${registry}-of/`)) return null;
    const [, locale = '', ...folder] = id.split('/');
    return `import { wordsAt } from '${registry}';
export default /* @__PURE__ */ wordsAt(${JSON.stringify(locale)}, ${JSON.stringify(folder.join('/'))});`;
  },
};
