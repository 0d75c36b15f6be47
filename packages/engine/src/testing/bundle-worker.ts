import { fileURLToPath } from 'node:url';
import { bundle } from '@pdf2press/config/bundle';

const dist = (name: string) => fileURLToPath(new URL(`../../dist/testing/${name}`, import.meta.url));

/** Vitest runs it before the tests of this package, which start and kill hundreds of workers. */
export const setup = (): Promise<void> =>
  bundle({
    entry: dist('worker-process.js'),
    out: dist('bundle'),
    name: 'worker-process',
    // Neither is installed: both are optional parts of others.
    takes: (name) => !['pg-native', 'cpu-features'].includes(name),
  });
