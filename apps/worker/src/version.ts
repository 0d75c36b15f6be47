import { readFileSync } from 'node:fs';

/** Version of this release: written to each step, so that a report says what made it. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
