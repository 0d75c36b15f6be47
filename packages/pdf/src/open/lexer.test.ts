import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLexer, nextToken, tokens, tokenText } from './lexer.ts';
import { parseObject } from './parse-object.ts';
import { isDict, isString, latin1, type PdfValue } from './values.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** The tokens of a text in a short notation. */
function lex(text: string): string[] {
  const lexer = createLexer(bytes(text));
  const list: string[] = [];
  for (let token = nextToken(lexer); token !== tokens.end; token = nextToken(lexer)) {
    if (token === tokens.number) list.push(String(lexer.number));
    else if (token === tokens.name) list.push(`/${lexer.name.name}`);
    else if (token === tokens.string) list.push(`(${latin1(lexer.string)})`);
    else list.push(tokenText(lexer));
  }
  return list;
}

describe('tokens', () => {
  test.each([
    ['1 -2 +3 4.5 -.5 .25 6.', ['1', '-2', '3', '4.5', '-0.5', '0.25', '6']],
    ['--5 5-3 1.2.3 1e3 2E-1', ['-5', '53', '1.2', '1000', '0.2']],
    ['0.1 595.276 0.000001', ['0.1', '595.276', '0.000001']],
    ['/A#20B /#zz /', ['/A B', '/#zz', '/']],
    ['(a\\)b(c)d\\101\\n\\\r\nx)', ['(a)b(c)dA\nx)']],
    ['(a\r\nb\rc)', ['(a\nb\nc)']],
    ['<48 65 6c6C6f7>', ['(Hellop)']],
    ['q 1 0 0 1 5 5cm%note\nQ', ['q', '1', '0', '0', '1', '5', '5', 'cm', 'Q']],
    ['[1(a)-2]TJ<</A/B>>', ['[', '1', '(a)', '-2', ']', 'TJ', '<<', '/A', '/B', '>>']],
    ['T* f* \'" ) } x', ['T*', 'f*', '\'"', ')', '}', 'x']],
  ])('%s', (text, expected) => {
    expect(lex(text)).toEqual(expected);
  });

  test('decimal numbers have the same value as in JavaScript', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 6 }), (mantissa, decimals) => {
        const text = (mantissa / 10 ** decimals).toFixed(decimals);
        expect(lex(text)).toEqual([String(Number.parseFloat(text) + 0)].map((value) => (value === '-0' ? '0' : value)));
      }),
    );
  });

  test('the lexer ends on any input, and tokens do not overlap', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
        const lexer = createLexer(data);
        let end = 0;
        for (let token = nextToken(lexer); token !== tokens.end; token = nextToken(lexer)) {
          expect(lexer.start).toBeGreaterThanOrEqual(end);
          expect(lexer.pos).toBeGreaterThan(lexer.start);
          end = lexer.pos;
        }
      }),
    );
  });
});

describe('objects', () => {
  test('references, nested values and repeated keys', () => {
    const value = parseObject(bytes('<< /A [1 2 0 R << /B (x) >>] /A 5 /C 12 0 R /D true /E null /F false >>'));
    expect(isDict(value) && [...value.map.keys()]).toEqual(['A', 'C', 'D', 'E', 'F']);
    const entry = (key: string): PdfValue | undefined => (isDict(value) ? value.map.get(key) : undefined);
    expect(entry('C')).toEqual({ kind: 'ref', num: 12 });
    expect([entry('D'), entry('E'), entry('F')]).toEqual([true, null, false]);
    const list = entry('A') as readonly PdfValue[];
    expect(list[1]).toEqual({ kind: 'ref', num: 2 });
    const inner = list[2];
    const text = isDict(inner) ? inner.map.get('B') : null;
    expect(isString(text) && latin1(text.bytes)).toBe('x');
  });

  test('nesting deeper than a hundred levels is refused', () => {
    expect(() => parseObject(bytes('['.repeat(500)))).toThrow('PDF_LIMIT_NESTING');
    expect(() => parseObject(bytes(`${'['.repeat(90)}${']'.repeat(90)}`))).not.toThrow();
  });
});
