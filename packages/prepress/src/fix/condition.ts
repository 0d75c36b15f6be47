/** The language of `when`: comparisons over the workflow's variables. */
import { evaluate, isExpression, type Variables } from '../preflight/expression.ts';

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

/** A text in quotes is a word. */
const quotedWord = (text: string): string | undefined => /^(["'])(.*)\1$/.exec(text)?.[2];
const operand = (text: string, variables: Variables): Value => quotedWord(text) ?? evaluate(text, variables, null);
const isOperand = (text: string): boolean => quotedWord(text) !== undefined || isExpression(text);

/** Cuts a condition at a word or a sign, but not within quotes. */
function cut(text: string, at: RegExp): string[] {
  const quotes: string[] = [];
  const bare = text.replace(/(["']).*?\1/g, (quote) => `\0${quotes.push(quote) - 1}\0`);
  return bare.split(at).map((piece) => piece.replace(/\0(\d+)\0/g, (_, no) => quotes[Number(no)] ?? '').trim());
}

/** Left side, sign and right side; or what stands alone. */
const sides = (text: string): string[] => cut(text, /(==|!=|<=|>=|=|<|>)/);
/** Every comparison of a condition, by the parts of which one must hold. */
const parts = (condition: string): string[][] => cut(condition, /\bor\b/i).map((part) => cut(part, /\band\b/i));

/** Whether a condition can be judged once its variables are known. */
export const isCondition = (condition: string): boolean =>
  parts(condition)
    .flat()
    .every((piece) => {
      const [left = '', sign, right = ''] = sides(piece);
      return sides(piece).length <= 3 && isOperand(left) && (sign === undefined || isOperand(right));
    });

/** −1, 0, 1; words are compared without case; undefined where one side is missing. */
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

/** `quantity >= 500 and product = "flyer"`: comparisons of arithmetic over variables, joined by and, or. */
export const holds = (condition: string, variables: Variables): boolean =>
  parts(condition).some((part) => part.every((piece) => holdsOne(piece, variables)));
