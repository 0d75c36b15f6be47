// Bundles the program: loading its hundreds of modules one by one was most of the time until it is ready.
import { fileURLToPath } from 'node:url';
import { bundle, mayJoin } from '@pdf2press/config/bundle';

const dist = (name) => fileURLToPath(new URL(`dist/${name}`, import.meta.url));

await bundle({ entry: dist('main.js'), out: dist('joined'), name: 'main', takes: mayJoin });
