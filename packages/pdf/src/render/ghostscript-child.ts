/**
 * The child process of the embedded Ghostscript. It serves one request and exits, so that the system frees its memory.
 * The WebAssembly build has a file system in memory: inputs are copied in, outputs are copied out.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { GhostscriptModule } from '@okathira/ghostpdl-wasm';
import { crashedCode, type EmbeddedRequest } from './ghostscript.ts';

const inside = '/work';
const chunkBytes = 4 * 2 ** 20;

process.once('message', (request: EmbeddedRequest) => {
  run(request).then(
    (code) => leave(code),
    (error) => {
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
      leave(crashedCode);
    },
  );
});

function leave(code: number): void {
  process.exitCode = code;
  process.disconnect();
}

async function run({ args, inputs, outDir }: EmbeddedRequest): Promise<number> {
  const { default: loadGhostscript } = await import('@okathira/ghostpdl-wasm');
  const ghostscript = await loadGhostscript({
    print: (text: string) => process.stdout.write(`${text}\n`),
    printErr: (text: string) => process.stderr.write(`${text}\n`),
  });
  const files = ghostscript.FS;
  files.mkdir(inside);
  files.chdir(inside);
  const names = new Map(inputs.map((input, index) => [input, `${inside}/.in${index}${path.extname(input)}`]));
  for (const [input, name] of names) copyIn(files, input, name);
  const inner = args.map((arg) => {
    for (const [input, name] of names) if (arg.endsWith(input)) return arg.slice(0, -input.length) + name;
    return arg;
  });
  // A crash of Ghostscript throws, so nothing is copied out.
  const code = ghostscript.callMain(inner);
  for (const name of files.readdir(inside)) {
    if (!name.startsWith('.')) copyOut(files, `${inside}/${name}`, path.join(outDir, name));
  }
  return code;
}

type Files = GhostscriptModule['FS'];

function copyIn(files: Files, from: string, to: string): void {
  const source = openSync(from, 'r');
  const target = files.open(to, 'w');
  // Allocate the full size at once: growing the file would copy it repeatedly.
  files.truncate(to, fstatSync(source).size);
  const chunk = new Uint8Array(chunkBytes);
  for (let at = 0, bytes = -1; bytes !== 0; at += bytes) {
    bytes = readSync(source, chunk, 0, chunk.length, at);
    if (bytes > 0) files.write(target, chunk, 0, bytes, at);
  }
  files.close(target);
  closeSync(source);
}

function copyOut(files: Files, from: string, to: string): void {
  const source = files.open(from, 'r');
  const target = openSync(to, 'w');
  const chunk = new Uint8Array(chunkBytes);
  for (let at = 0, bytes = -1; bytes !== 0; at += bytes) {
    bytes = files.read(source, chunk, 0, chunk.length, at);
    if (bytes > 0) writeSync(target, chunk, 0, bytes, at);
  }
  files.close(source);
  closeSync(target);
  files.unlink(from);
}
