import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openPdf } from '../open/pdf-file.ts';
import { buildPdf, type ObjectSource } from '../testing/build-pdf.ts';
import { compileFunction } from './functions.ts';

const directory = mkdtempSync(join(tmpdir(), 'functions-'));
afterAll(() => rmSync(directory, { recursive: true }));

function evaluate(object: ObjectSource, ...input: number[]): number[] | undefined {
  const path = join(directory, 'f.pdf');
  writeFileSync(path, buildPdf({ objects: { 9: object } }));
  const file = openPdf({ path });
  const result = compileFunction(file, { kind: 'ref', num: 9 })?.(input);
  file.close();
  return result?.map((value) => Math.round(value * 1e6) / 1e6);
}

const calculator = (program: string, outputs = 1, inputs = 1): ObjectSource => ({
  dict: `/FunctionType 4 /Domain [${'-100 100 '.repeat(inputs)}] /Range [${'-1000 1000 '.repeat(outputs)}]`,
  data: `{ ${program} }`,
});

describe('PDF functions', () => {
  test('exponential', () => {
    expect(evaluate('<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 1 0.5 0] >>', 0.5)).toEqual([
      0, 0.5, 0.25, 0,
    ]);
    expect(evaluate('<< /FunctionType 2 /Domain [0 1] /N 2 >>', 0.5)).toEqual([0.25]);
    expect(evaluate('<< /FunctionType 2 /Domain [0 1] /N 1 >>', 7)).toEqual([1]);
  });

  test('sampled, with interpolation between the samples', () => {
    const table = {
      dict: '/FunctionType 0 /Domain [0 1] /Range [0 1 0 1] /Size [2] /BitsPerSample 8',
      data: '\0\xff\xff\0',
    };
    expect(evaluate(table, 0.25)).toEqual([0.25, 0.75]);
    const square = {
      dict: '/FunctionType 0 /Domain [0 1 0 1] /Range [0 1] /Size [2 2] /BitsPerSample 8',
      data: '\0\xff\xff\0',
    };
    expect(evaluate(square, 0.5, 0.5)).toEqual([0.5]);
    expect(evaluate(square, 1, 0)).toEqual([1]);
  });

  test('stitching', () => {
    const half = (from: number, to: number): string =>
      `<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [${from}] /C1 [${to}] >>`;
    const object = `<< /FunctionType 3 /Domain [0 1] /Functions [${half(0, 1)} ${half(5, 6)}] /Bounds [0.5] /Encode [0 1 0 1] >>`;
    expect(evaluate(object, 0.25)).toEqual([0.5]);
    expect(evaluate(object, 0.75)).toEqual([5.5]);
  });

  test.each<[string, number, number]>([
    ['2 mul 1 add', 3, 7],
    ['dup mul sqrt', 4, 4],
    ['dup 0 gt { 10 } { 20 } ifelse exch pop', -1, 20],
    ['dup 0 gt { 5 add } if', 1, 6],
    ['1 2 3 3 1 roll pop pop exch pop', 9, 3],
    ['90 sin add', 1, 2],
    ['7 2 idiv add', 0, 3],
    ['3 2 copy add add exch pop', 1, 7],
  ])('calculator: %s', (program, input, expected) => {
    expect(evaluate(calculator(program), input)).toEqual([expected]);
  });

  test('a value that is not a function gives null; damaged functions do not throw', () => {
    expect(evaluate('<< /FunctionType 9 >>', 1)).toBeUndefined();
    expect(evaluate('42', 1)).toBeUndefined();
    expect(evaluate(calculator('{ { { pop pop pop if'), 1)).toHaveLength(1);
    expect(evaluate(calculator('0 div'), 1)).toEqual([0]);
  });
});
