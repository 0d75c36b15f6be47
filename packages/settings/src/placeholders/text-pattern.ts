import { z } from 'zod';
import { nameKey } from '../facts/facts.ts';
import { parsePlaceholders } from './parse.ts';

/*
 * Texts by a pattern: `{{order}}_{{copies}}_*`. A placeholder takes what stands in its place, at least one character and as few
 * as possible; `*` stands for any characters or none. Letters of the text between are compared without case. No regular
 * expression is made of it.
 */

/** What a placeholder of a pattern gives a value to, and which values it can have. */
export interface PatternTarget {
  name: string;
  fits: (text: string) => boolean;
}

type Piece = { kind: 'text'; text: string } | { kind: 'any' } | { kind: 'part'; target: PatternTarget };

const textPieces = (text: string): Piece[] =>
  text
    .split(/(\*+)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('*') ? { kind: 'any' } : { kind: 'text', text: part.normalize('NFC') }));

/**
 * Where words of a text begin or end: at blanks, and at the signs that close or open a word there. `A-17/2` is one word.
 * By the places between UTF-16 units.
 */
function wordEdges(text: string): ReadonlySet<number> {
  const edges = new Set([0, text.length]);
  for (const { index, 0: word } of text.matchAll(/\S+/g)) {
    const opening = /^[([{"'«“‘#]*/.exec(word)?.[0].length ?? 0;
    const closing = /[)\]}"'»”’,;:.!?]*$/.exec(word)?.[0].length ?? 0;
    for (let at = 0; at <= opening; at += 1) edges.add(index + at);
    for (let at = 0; at <= closing; at += 1) edges.add(index + word.length - at);
  }
  return edges;
}

/**
 * The values that a text gives by a pattern; null when it does not fit. Takes time in proportion to the pattern's length and
 * the square of the text's.
 * @param targetOf what a name of the pattern stands for; null: for any characters
 * @param isByWords whether a part beside a `*` begins and ends with whole words there: for texts that people write
 */
export function matchPattern(
  pattern: string,
  text: string,
  { targetOf, isByWords = false }: { targetOf: (name: string) => PatternTarget | null; isByWords?: boolean },
): Record<string, string> | null {
  const whole = text.normalize('NFC');
  const pieces = parsePlaceholders(pattern).parts.flatMap((part): Piece[] => {
    if (typeof part === 'string') return textPieces(part);
    const target = targetOf(part.name);
    return [target ? { kind: 'part', target } : { kind: 'any' }];
  });
  const edges = isByWords ? wordEdges(whole) : undefined;
  const cuts = (at: number) => edges !== undefined && !edges.has(at);
  const isAny = (at: number) => pieces[at]?.kind === 'any';
  const known = new Map<number, Record<string, string> | null>();
  const matchFrom = (at: number, from: number): Record<string, string> | null => {
    const piece = pieces[at];
    if (!piece) return from === whole.length ? {} : null;
    const place = at * (whole.length + 1) + from;
    const before = known.get(place);
    if (before !== undefined) return before;
    const found = matchPiece(piece, at, from);
    known.set(place, found);
    return found;
  };
  const matchPiece = (piece: Piece, at: number, from: number): Record<string, string> | null => {
    if (piece.kind === 'text') {
      const end = from + piece.text.length;
      return whole.slice(from, end).toLowerCase() === piece.text.toLowerCase() ? matchFrom(at + 1, end) : null;
    }
    if (piece.kind === 'part' && isAny(at - 1) && cuts(from)) return null;
    for (let end = piece.kind === 'any' ? from : from + 1; end <= whole.length; end += 1) {
      if (piece.kind === 'part' && isAny(at + 1) && cuts(end)) continue;
      const rest = matchFrom(at + 1, end);
      if (!rest) continue;
      if (piece.kind === 'any') return rest;
      const value = whole.slice(from, end);
      if (piece.target.fits(value)) return { ...rest, [piece.target.name]: value.trim() };
    }
    return null;
  };
  return matchFrom(0, 0);
}

/** What is wrong with a pattern: a code of the `workflow.pattern*` sentences, and where. */
export interface PatternFault {
  code: string;
  params: { name: string; offset: number };
}

/**
 * What is wrong with a pattern, beside what is wrong with any text that has placeholders.
 * @param kindOf what a name is: of a variable, of something else, or unknown, which is told as in every text
 */
export function patternFaults(
  pattern: string,
  kindOf: (name: string) => 'variable' | 'other' | 'unknown',
): PatternFault[] {
  const seen = new Set<string>();
  let isBehindPart = false;
  return parsePlaceholders(pattern).parts.flatMap((part): PatternFault[] => {
    const follows = isBehindPart;
    isBehindPart = typeof part !== 'string';
    if (typeof part === 'string') return [];
    const { name, offset, formats } = part;
    const fault = (code: string): PatternFault[] => [{ code, params: { name, offset } }];
    const kind = kindOf(name);
    if (kind !== 'variable') return kind === 'other' ? fault('workflow.patternVariable') : [];
    if (seen.has(nameKey(name))) return fault('workflow.patternTwice');
    seen.add(nameKey(name));
    if (formats.length > 0) return fault('workflow.patternFormat');
    return follows ? fault('workflow.patternUnclear') : [];
  });
}

/** Names of variables are no longer. */
const longestName = 100;

/** A pattern that fills variables, as a setting that is saved apart from their workflow. */
export const patternText = ({ max }: { max: number }) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .superRefine((pattern, context) => {
      const { parts, faults } = parsePlaceholders(pattern);
      const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]));
      const lacks = { code: 'value.patternEmpty', params: {} };
      const tooLong = names.some((name) => name.length > longestName) ? [{ code: 'value.invalid', params: {} }] : [];
      const [fault] = [
        ...faults,
        ...patternFaults(pattern, () => 'variable'),
        ...tooLong,
        ...(names.length === 0 ? [lacks] : []),
      ];
      if (fault) context.addIssue({ code: 'custom', params: { code: fault.code, params: fault.params } });
    });
