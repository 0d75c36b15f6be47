/** A program that imposes once and says how long it took without its own start: `node once.js REQUEST.json`. For measurements. */
import { readFileSync } from 'node:fs';
import { type ImposeRequest, impose } from './impose.ts';

const request = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ImposeRequest;
const begin = performance.now();
const result = await impose(request);
if (!result.ok) throw new Error(JSON.stringify(result.problems));
console.log(JSON.stringify({ seconds: (performance.now() - begin) / 1000 }));
