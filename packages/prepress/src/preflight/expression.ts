/**
 * Arithmetic over workflow variables, so that a limit may follow the order: `2 * width + spine`, `bleed + 1mm`.
 * Numbers may carry a unit (mm, cm, m, in, ft, pt); a length is points from there on. No functions, no access to
 * anything but the given variables.
 */
import { parseLength, toPoints, type Unit } from '@pdf2press/contract';

export type Variables = Readonly<Record<string, string | number | boolean | null>>;

const token =
  /\s*(?:(\d+(?:\.\d+)?(?:\s*(?:mm|cm|pt|in|ft|m)(?![\p{L}\p{N}_]))?)|([\p{L}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]|[\p{L}_])|([-+*/()]))/uy;

function tokenize(text: string): string[] | null {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    if (text.slice(token.lastIndex).trim() === '') break;
    const match = token.exec(text);
    if (!match) return null;
    tokens.push((match[1] ?? match[2] ?? match[3] ?? '').trim());
  }
  return tokens;
}

/** Variables are found without regard to case, as everywhere in workflows. */
function lookUp(variables: Variables, name: string): string | number | boolean | null | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(variables).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/**
 * The value of an expression: the variable itself when it is nothing but a name, else a number; undefined when a
 * variable is missing or no number can be computed. `unit` says what a bare number of a length variable means; null
 * for values that are no lengths.
 */
export function evaluate(text: string, variables: Variables, unit: Unit | null): string | number | boolean | undefined {
  const tokens = tokenize(text);
  if (!tokens || tokens.length === 0) return undefined;
  const number = (value: string | number | boolean | null | undefined): number => {
    if (typeof value === 'number') return unit ? toPoints(value, unit) : value;
    if (typeof value !== 'string') return Number.NaN;
    return unit ? (parseLength(value, unit) ?? Number.NaN) : Number(value.trim() === '' ? Number.NaN : value);
  };
  if (tokens.length === 1 && /^[\p{L}_]/u.test(tokens[0] ?? '')) {
    const value = lookUp(variables, tokens[0] ?? '');
    const read = number(value);
    return Number.isNaN(read) ? (value ?? undefined) : read;
  }
  let at = 0;
  const take = (...wanted: string[]) => (wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined);
  const factor = (): number => {
    if (take('-')) return -factor();
    if (take('(')) {
      const inner = sum();
      return take(')') ? inner : Number.NaN;
    }
    const next = tokens[at++] ?? '';
    if (/^\d/.test(next)) return /[a-z]$/.test(next) ? (parseLength(next) ?? Number.NaN) : Number(next);
    return number(lookUp(variables, next));
  };
  const product = (): number => {
    let value = factor();
    for (let sign = take('*', '/'); sign; sign = take('*', '/'))
      value = sign === '*' ? value * factor() : value / factor();
    return value;
  };
  const sum = (): number => {
    let value = product();
    for (let sign = take('+', '-'); sign; sign = take('+', '-'))
      value = sign === '+' ? value + product() : value - product();
    return value;
  };
  const result = sum();
  return at === tokens.length && Number.isFinite(result) ? result : undefined;
}
