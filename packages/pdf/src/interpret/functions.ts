/** PDF functions (ISO 32000-1, 7.10): sampled, exponential, stitching and PostScript calculator. */
import { createLexer, type Lexer, nextToken, tokens, tokenText } from '../open/lexer.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, type PdfDict, type PdfValue } from '../open/values.ts';
import type { ColorSpace } from './types.ts';

/** Evaluates a function: input values to output values, both clipped to Domain and Range. */
export type CompiledFunction = (input: readonly number[]) => number[];

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
const interpolate = (x: number, x0: number, x1: number, y0: number, y1: number): number =>
  x1 === x0 ? y0 : y0 + ((x - x0) * (y1 - y0)) / (x1 - x0);

/** Limit for nested stitching functions; deeper nesting is circular. */
const maxDepth = 10;

/**
 * Compiles a function object; null when it is not a valid function. An array of functions gives the outputs of all of
 * them.
 */
export function compileFunction(file: PdfFile, value: PdfValue | undefined, depth = 0): CompiledFunction | null {
  const resolved = file.resolve(value);
  if (depth > maxDepth) return null;
  if (isArray(resolved)) {
    const parts = resolved.map((entry) => compileFunction(file, entry, depth + 1));
    return parts.every((part) => part !== null) ? (input) => parts.flatMap((part) => part?.(input) ?? []) : null;
  }
  if (!isDict(resolved)) return null;
  const compile = compilers[Number(file.entry(resolved, 'FunctionType'))];
  const body = compile?.(file, resolved, depth) ?? null;
  if (!body) return null;
  const domain = numbers(file, resolved, 'Domain');
  const range = numbers(file, resolved, 'Range');
  return (input) => limit(body(limit(input, domain)), range);
}

function numbers(file: PdfFile, dict: PdfDict, key: string): number[] {
  const list = file.entry(dict, key);
  return isArray(list) ? list.map((entry) => Number(file.resolve(entry)) || 0) : [];
}

function limit(values: readonly number[], bounds: readonly number[]): number[] {
  return values.map((value, i) => clamp(value, bounds[2 * i] ?? -Infinity, bounds[2 * i + 1] ?? Infinity));
}

type Compiler = (file: PdfFile, dict: PdfDict, depth: number) => CompiledFunction | null;

const sampled: Compiler = (file, dict) => {
  const size = numbers(file, dict, 'Size').map((entry) => Math.max(1, Math.floor(entry)));
  const bits = Number(file.entry(dict, 'BitsPerSample'));
  const domain = numbers(file, dict, 'Domain');
  const range = numbers(file, dict, 'Range');
  const outputs = range.length / 2;
  const inputs = domain.length / 2;
  // Interpolation uses 2^inputs samples; real files have at most a few inputs.
  if (![1, 2, 4, 8, 12, 16, 24, 32].includes(bits) || size.length < inputs || inputs < 1 || inputs > 12 || outputs < 1)
    return null;
  const encode = numbers(file, dict, 'Encode');
  const decode = numbers(file, dict, 'Decode');
  const data = dict.stream ? file.stream(dict.stream) : new Uint8Array(0);
  const highest = 2 ** bits - 1;
  const sample = (index: number): number => {
    let value = 0;
    const bit = index * bits;
    if (bits >= 8 && bits !== 12) {
      for (let i = 0; i < bits / 8; i += 1) value = value * 256 + (data[bit / 8 + i] ?? 0);
      return value;
    }
    for (let i = 0; i < bits; i += 1) value = value * 2 + (((data[(bit + i) >> 3] ?? 0) >> (7 - ((bit + i) & 7))) & 1);
    return value;
  };
  return (input) => {
    const low: number[] = [];
    const part: number[] = [];
    for (let i = 0; i < inputs; i += 1) {
      const top = (size[i] ?? 1) - 1;
      const encoded = interpolate(
        input[i] ?? 0,
        domain[2 * i] ?? 0,
        domain[2 * i + 1] ?? 1,
        encode[2 * i] ?? 0,
        encode[2 * i + 1] ?? top,
      );
      const at = clamp(encoded, 0, top);
      low.push(Math.min(Math.floor(at), Math.max(0, top - 1)));
      part.push(at - (low[i] ?? 0));
    }
    const result = new Array<number>(outputs).fill(0);
    for (let corner = 0; corner < 1 << inputs; corner += 1) {
      let weight = 1;
      let index = 0;
      let stride = 1;
      for (let i = 0; i < inputs; i += 1) {
        const up = (corner >> i) & 1;
        weight *= up ? (part[i] ?? 0) : 1 - (part[i] ?? 0);
        index += Math.min((low[i] ?? 0) + up, (size[i] ?? 1) - 1) * stride;
        stride *= size[i] ?? 1;
      }
      if (weight === 0) continue;
      for (let j = 0; j < outputs; j += 1) result[j] = (result[j] ?? 0) + weight * sample(index * outputs + j);
    }
    return result.map((value, j) =>
      interpolate(value, 0, highest, decode[2 * j] ?? range[2 * j] ?? 0, decode[2 * j + 1] ?? range[2 * j + 1] ?? 1),
    );
  };
};

const exponential: Compiler = (file, dict) => {
  const c0 = numbers(file, dict, 'C0');
  const c1 = numbers(file, dict, 'C1');
  const from = c0.length > 0 ? c0 : [0];
  const to = c1.length > 0 ? c1 : [1];
  const exponent = Number(file.entry(dict, 'N'));
  return ([x = 0]) => {
    const weight = exponent === 1 ? x : x ** exponent;
    return from.map((value, i) => value + weight * ((to[i] ?? 0) - value));
  };
};

const stitching: Compiler = (file, dict, depth) => {
  const list = file.entry(dict, 'Functions');
  const parts = isArray(list) ? list.map((entry) => compileFunction(file, entry, depth + 1)) : [];
  if (parts.length === 0 || parts.some((part) => part === null)) return null;
  const bounds = numbers(file, dict, 'Bounds');
  const encode = numbers(file, dict, 'Encode');
  const [first = 0, last = 1] = numbers(file, dict, 'Domain');
  return ([x = 0]) => {
    let i = 0;
    while (i < bounds.length && i < parts.length - 1 && x >= (bounds[i] ?? 0)) i += 1;
    const low = i === 0 ? first : (bounds[i - 1] ?? first);
    const high = i < bounds.length ? (bounds[i] ?? last) : last;
    return parts[i]?.([interpolate(x, low, high, encode[2 * i] ?? 0, encode[2 * i + 1] ?? 1)]) ?? [];
  };
};

type Program = (number | string | Program)[];
/** Calculator functions have no loops, so their running time is bounded; the stack is limited as well. */
const maxStack = 200;

const calculator: Compiler = (file, dict) => {
  if (!dict.stream) return null;
  const lexer = createLexer(file.stream(dict.stream));
  const program = readProgram(lexer, 0)[0];
  const outputs = numbers(file, dict, 'Range').length / 2;
  if (!Array.isArray(program)) return null;
  return (input) => {
    const stack: number[] = [...input];
    run(program, stack);
    const result = stack.slice(-outputs).map((value) => (Number.isFinite(value) ? value : 0));
    while (result.length < outputs) result.unshift(0);
    return result;
  };
};

function readProgram(lexer: Lexer, depth: number): Program {
  const program: Program = [];
  for (let token = nextToken(lexer); token !== tokens.end; token = nextToken(lexer)) {
    if (token === tokens.number) program.push(lexer.number);
    else if (token === tokens.keyword) program.push(tokenText(lexer));
    else if (token === tokens.bad) {
      if (lexer.bytes[lexer.start] === 125) return program;
      if (lexer.bytes[lexer.start] === 123 && depth < 50) program.push(readProgram(lexer, depth + 1));
    }
  }
  return program;
}

function run(program: Program, stack: number[]): void {
  for (let i = 0; i < program.length; i += 1) {
    const item = program[i];
    if (typeof item === 'number') {
      if (stack.length < maxStack) stack.push(item);
    } else if (typeof item === 'string') {
      if (item === 'if' || item === 'ifelse') continue;
      operators[item]?.(stack);
    } else if (item) i += branch(program, i, item, stack);
  }
}

/** Executes `{…} if` or `{…} {…} ifelse`. Returns how many further items of the program belong to it. */
function branch(program: Program, at: number, then: Program, stack: number[]): number {
  const next = program[at + 1];
  if (next === 'if') {
    if (stack.pop()) run(then, stack);
    return 1;
  }
  if (Array.isArray(next) && program[at + 2] === 'ifelse') {
    run(stack.pop() ? then : next, stack);
    return 2;
  }
  return 0;
}

const unary =
  (compute: (a: number) => number) =>
  (stack: number[]): void => {
    stack.push(compute(stack.pop() ?? 0));
  };
const binary =
  (compute: (a: number, b: number) => number) =>
  (stack: number[]): void => {
    const b = stack.pop() ?? 0;
    stack.push(compute(stack.pop() ?? 0, b));
  };
const degrees = 180 / Math.PI;

const operators: Readonly<Record<string, (stack: number[]) => void>> = {
  abs: unary(Math.abs),
  add: binary((a, b) => a + b),
  atan: binary((a, b) => (Math.atan2(a, b) * degrees + 360) % 360),
  ceiling: unary(Math.ceil),
  cos: unary((a) => Math.cos(a / degrees)),
  cvi: unary(Math.trunc),
  cvr: unary((a) => a),
  div: binary((a, b) => a / b),
  exp: binary((a, b) => a ** b),
  floor: unary(Math.floor),
  idiv: binary((a, b) => Math.trunc(a / b)),
  ln: unary(Math.log),
  log: unary(Math.log10),
  mod: binary((a, b) => a % b),
  mul: binary((a, b) => a * b),
  neg: unary((a) => -a),
  round: unary(Math.round),
  sin: unary((a) => Math.sin(a / degrees)),
  sqrt: unary(Math.sqrt),
  sub: binary((a, b) => a - b),
  truncate: unary(Math.trunc),
  and: binary((a, b) => a & b),
  bitshift: binary((a, b) => (b >= 0 ? a << b : a >> -b)),
  eq: binary((a, b) => Number(a === b)),
  false: (stack) => void stack.push(0),
  ge: binary((a, b) => Number(a >= b)),
  gt: binary((a, b) => Number(a > b)),
  le: binary((a, b) => Number(a <= b)),
  lt: binary((a, b) => Number(a < b)),
  ne: binary((a, b) => Number(a !== b)),
  not: unary((a) => (a === 0 || a === 1 ? 1 - a : ~a)),
  or: binary((a, b) => a | b),
  true: (stack) => void stack.push(1),
  xor: binary((a, b) => a ^ b),
  copy: (stack) => {
    const count = clamp(stack.pop() ?? 0, 0, maxStack - stack.length);
    if (count > 0) stack.push(...stack.slice(-count));
  },
  dup: (stack) => void stack.push(stack.at(-1) ?? 0),
  exch: (stack) => void stack.push(stack.pop() ?? 0, stack.pop() ?? 0),
  index: (stack) => {
    const position = stack.pop() ?? 0;
    stack.push(stack.at(-1 - position) ?? 0);
  },
  pop: (stack) => void stack.pop(),
  roll: (stack) => {
    const turns = stack.pop() ?? 0;
    const count = clamp(stack.pop() ?? 0, 0, stack.length);
    if (count < 1) return;
    const top = stack.splice(-count);
    const shift = ((turns % count) + count) % count;
    stack.push(...top.slice(count - shift), ...top.slice(0, count - shift));
  },
};

const compilers: Readonly<Record<number, Compiler>> = { 0: sampled, 2: exponential, 3: stitching, 4: calculator };

const tints = new WeakMap<ColorSpace, CompiledFunction | null>();

/**
 * Converts a Separation or DeviceN colour to its alternate space.
 * @returns null for other spaces, and when the tint transform cannot be read
 */
export function evaluateTint(file: PdfFile, space: ColorSpace, values: readonly number[]): number[] | null {
  if (space.family !== 'Separation' && space.family !== 'DeviceN') return null;
  let compiled = tints.get(space);
  if (compiled === undefined) {
    compiled = compileFunction(file, space.tint);
    tints.set(space, compiled);
  }
  return compiled?.(values) ?? null;
}
