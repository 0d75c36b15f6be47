// Bundles the program of the command line: of a command on a small file, loading its modules one by one was most of the time.
import { fileURLToPath } from 'node:url';
import { bundle } from '@pdf2press/config/bundle';

const dist = (name) => fileURLToPath(new URL(`dist/${name}`, import.meta.url));

await bundle({ entry: dist('main.js'), out: dist('joined'), name: 'main', takes: (name) => name === 'zod' });
