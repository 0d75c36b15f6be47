/**
 * Benchmark program, `node once.js REQUEST.json`: imposes once and prints the seconds, without the start of Node.js.
 */
import { readFileSync } from 'node:fs';
import { type ImposeRequest, impose } from './impose.ts';

const request = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ImposeRequest;
const begin = performance.now();
const result = await impose(request);
if (!result.ok) throw new Error(JSON.stringify(result.problems));
console.log(JSON.stringify({ seconds: (performance.now() - begin) / 1000 }));
