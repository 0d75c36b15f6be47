import { fileURLToPath } from 'node:url';
import { bundle } from '@pdf2press/config/bundle';

const dist = (name: string) => fileURLToPath(new URL(`../../dist/testing/${name}`, import.meta.url));

/** Vitest runs it before the tests of this app, which start and kill dozens of intakes. */
export const setup = (): Promise<void> =>
  bundle({ entry: dist('intake-process.js'), out: dist('bundle'), name: 'intake-process', takes: () => true });
