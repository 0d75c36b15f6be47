import { readFileSync } from 'node:fs';

/** Of this release; the same number in every app. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
