/** Conditions of `when`: comparisons of expressions over workflow variables. */
import { evaluate, isExpression, type Variables } from '@pdf2press/settings';

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

type Value = string | number | boolean | undefined;

/** The content of a quoted string; undefined for other text. */
const quotedWord = (text: string): string | undefined => /^(["'])(.*)\1$/.exec(text)?.[2];
const operand = (text: string, variables: Variables): Value => quotedWord(text) ?? evaluate(text, variables, null);
const isOperand = (text: string): boolean => quotedWord(text) !== undefined || isExpression(text);

/** Splits a condition at a word or sign outside of quotes. */
function cut(text: string, at: RegExp): string[] {
  const quotes: string[] = [];
  const bare = text.replace(/(["']).*?\1/g, (quote) => `\0${quotes.push(quote) - 1}\0`);
  return bare.split(at).map((piece) => piece.replace(/\0(\d+)\0/g, (_, no) => quotes[Number(no)] ?? '').trim());
}

/** Left side, sign and right side of a comparison; or a single expression. */
const sides = (text: string): string[] => cut(text, /(==|!=|<=|>=|=|<|>)/);
/** A condition as alternatives (`or`), each a list of comparisons (`and`). */
const parts = (condition: string): string[][] => cut(condition, /\bor\b/i).map((part) => cut(part, /\band\b/i));

/** Whether the text is a valid condition. */
export const isCondition = (condition: string): boolean =>
  parts(condition)
    .flat()
    .every((piece) => {
      const [left = '', sign, right = ''] = sides(piece);
      return sides(piece).length <= 3 && isOperand(left) && (sign === undefined || isOperand(right));
    });

/** −1, 0 or 1; strings are compared without case; undefined when a side has no value. */
function compare(a: Value, b: Value): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a - b);
  const [x, y] = [String(a).toLowerCase(), String(b).toLowerCase()];
  return x < y ? -1 : x > y ? 1 : 0;
}

function holdsOne(text: string, variables: Variables): boolean {
  const [left = '', sign, right = ''] = sides(text);
  if (sign === undefined) {
    const value = operand(left, variables);
    return value !== undefined && !['', 'false', 'no', '0'].includes(String(value).toLowerCase());
  }
  const order = compare(operand(left, variables), operand(right, variables));
  return order !== undefined && (comparisons[sign]?.(order) ?? false);
}

/** Whether a condition such as `quantity >= 500 and product = "flyer"` is true for these variables. */
export const holds = (condition: string, variables: Variables): boolean =>
  parts(condition).some((part) => part.every((piece) => holdsOne(piece, variables)));
