import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the checkout, from `apps/cli/{src,dist}/house`. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
