/**
 * Arithmetic over workflow variables, so that a limit may follow the order: `2 * width + spine`, `bleed + 1mm`,
 * `20mm * 30mm`. Numbers may carry a unit (mm, cm, m, in, ft, pt). No functions, no access to anything but the given
 * variables.
 */
import { parseLength, toPoints, type Unit } from '@pdf2press/contract';

export type Variables = Readonly<Record<string, string | number | boolean | null>>;

/** What an expression is to give: a length or an area in points, of which bare numbers are in the user's unit. */
export interface Wanted {
  unit: Unit;
  /** 1: a length, 2: an area. */
  dimension: 1 | 2;
}

/** What a setting of a kind of unit wants; null for plain numbers and words. */
export const measureOf = (settingUnit: string | null, unit: Unit): Wanted | null =>
  settingUnit === 'length' ? { unit, dimension: 1 } : settingUnit === 'area' ? { unit, dimension: 2 } : null;

/** A number, and how many lengths in points are multiplied in it. */
interface Quantity {
  value: number;
  dimension: number;
}
const nothing: Quantity = { value: Number.NaN, dimension: 0 };

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

/** `7mm` is a length, `7` a number. */
function quantityOf(value: string | number | boolean | null | undefined): Quantity {
  if (typeof value === 'number') return { value, dimension: 0 };
  if (typeof value !== 'string' || value.trim() === '') return nothing;
  const plain = Number(value);
  if (!Number.isNaN(plain)) return { value: plain, dimension: 0 };
  const isLength = /[\p{L}"']\s*$/u.test(value);
  return { value: parseLength(value) ?? Number.NaN, dimension: isLength ? 1 : 0 };
}

/** Whether a text can be computed once its variables are known. What they hold, only a session can tell. */
export function isExpression(text: string): boolean {
  const names = (tokenize(text) ?? []).filter((token) => /^[\p{L}_]/u.test(token));
  // Values that hardly cancel each other out.
  const anything = Object.fromEntries(names.map((name, at) => [name, Math.E ** (at + 1)]));
  return evaluate(text, anything, null) !== undefined;
}

/**
 * The value of an expression: the variable itself when it is nothing but a name, else a number; undefined when a
 * variable is missing or no number can be computed. A bare number means what is missing to the wanted measure: with
 * millimetres `bleed + 1` is 1 mm more, and `width * height` an area.
 */
export function evaluate(
  text: string,
  variables: Variables,
  wanted: Wanted | null,
): string | number | boolean | undefined {
  const tokens = tokenize(text);
  if (!tokens || tokens.length === 0) return undefined;
  const raise = ({ value, dimension }: Quantity, to: number): Quantity => ({
    value: wanted ? value * toPoints(1, wanted.unit) ** (to - dimension) : value,
    dimension: to,
  });
  // Text with a unit is a length only where one is wanted; elsewhere it is text.
  const lookedUp = (value: ReturnType<typeof lookUp>): Quantity => {
    const quantity = quantityOf(value);
    return wanted || quantity.dimension === 0 ? quantity : nothing;
  };
  const result = (quantity: Quantity): number =>
    wanted && quantity.dimension > wanted.dimension ? Number.NaN : raise(quantity, wanted?.dimension ?? 0).value;
  if (tokens.length === 1 && /^[\p{L}_]/u.test(tokens[0] ?? '')) {
    const value = lookUp(variables, tokens[0] ?? '');
    const read = result(lookedUp(value));
    return Number.isNaN(read) ? (value ?? undefined) : read;
  }
  let at = 0;
  const take = (...signs: string[]) => (signs.includes(tokens[at] ?? '') ? tokens[at++] : undefined);
  const factor = (): Quantity => {
    if (take('-')) {
      const { value, dimension } = factor();
      return { value: -value, dimension };
    }
    if (take('(')) {
      const inner = sum();
      return take(')') ? inner : nothing;
    }
    const next = tokens[at++] ?? '';
    return /^\d/.test(next) ? quantityOf(next) : lookedUp(lookUp(variables, next));
  };
  const product = (): Quantity => {
    let left = factor();
    for (let sign = take('*', '/'); sign; sign = take('*', '/')) {
      const right = factor();
      left =
        sign === '*'
          ? { value: left.value * right.value, dimension: left.dimension + right.dimension }
          : { value: left.value / right.value, dimension: left.dimension - right.dimension };
    }
    return left;
  };
  const sum = (): Quantity => {
    let left = product();
    for (let sign = take('+', '-'); sign; sign = take('+', '-')) {
      const right = product();
      const dimension = Math.max(left.dimension, right.dimension);
      const [one, other] = [raise(left, dimension).value, raise(right, dimension).value];
      left = { value: sign === '+' ? one + other : one - other, dimension };
    }
    return left;
  };
  const value = result(sum());
  return at === tokens.length && Number.isFinite(value) ? value : undefined;
}
