/**
 * MuPDF's WebAssembly with the machine code that V8 made of it while the build let it draw pages (`keep-engine.mjs`).
 * Otherwise every child compiles the same functions twice, which takes longer than drawing the pages of a usual file. V8
 * refuses code that was kept by another version, with other flags or on another kind of processor.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

/** What is used of it; the types of Node.js do not have it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  instantiate: (module: object, imports: object) => Promise<object>;
};

/** The same file for the compiled module and for its source. */
const codeFile = fileURLToPath(new URL('../../dist/kept-code/mupdf', import.meta.url));

const programFile = (): string =>
  path.join(path.dirname(createRequire(import.meta.url).resolve('mupdf')), 'mupdf-wasm.wasm');

/** Functions of V8 that are no part of JavaScript: Node.js has no other way to them. */
function ofV8<T>(call: string, ...given: readonly unknown[]): T {
  v8.setFlagsFromString('--allow-natives-syntax');
  try {
    return new Function('one', 'two', `return %${call}`)(...given) as T;
  } finally {
    v8.setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** Lets MuPDF start with a compiled program; it looks for this global. */
function startWith(program: object): void {
  Object.assign(globalThis, {
    $libmupdf_wasm_Module: {
      instantiateWasm: (imports: object, done: (instance: object, program: object) => void) =>
        void WebAssembly.instantiate(program, imports).then((instance) => done(instance, program)),
    },
  });
}

/** Lets MuPDF start with what was kept, where V8 takes it. To be called before MuPDF is imported. */
export function startWithKeptEngine(): void {
  if (!existsSync(codeFile)) return;
  const { buffer, byteOffset, byteLength } = readFileSync(codeFile);
  const code = buffer.slice(byteOffset, byteOffset + byteLength);
  const program = ofV8<object | undefined>('DeserializeWasmModule(one, two)', code, readFileSync(programFile()));
  if (program) startWith(program);
}

/**
 * Keeps the code of MuPDF for processes with the same flags. Run by the build.
 * @param draw lets MuPDF do what is to be fast from the start, again and again until V8 has made its best code of it
 */
export async function keepEngine(draw: () => Promise<void>): Promise<void> {
  // What an earlier build kept is not to be the program that draws.
  rmSync(codeFile, { force: true });
  const program = new WebAssembly.Module(readFileSync(programFile()));
  startWith(program);
  await draw();
  mkdirSync(path.dirname(codeFile), { recursive: true });
  writeFileSync(codeFile, new Uint8Array(ofV8<ArrayBuffer>('SerializeWasmModule(one)', program)));
}
