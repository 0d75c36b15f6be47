import { extensionOf, readVariables, type SettingIssue, type WorkflowVariable } from '@pdf2press/contract';
import { nameKey, parsePlaceholders } from '@pdf2press/settings';
import type { WorkflowNames } from '../step.ts';

/*
 * Names of files by a pattern: `{{order}}_{{copies}}_*.pdf`. A placeholder takes what stands in its place, at least one
 * character and as few as possible; `*` stands for any characters or none. Letters of the text between are compared without
 * case. A pattern that ends without `*` or an extension is about names without theirs. No regular expression is made of it.
 */

type Piece = { kind: 'text'; text: string } | { kind: 'any' } | { kind: 'variable'; variable: WorkflowVariable };

const variableNamed = (variables: readonly WorkflowVariable[], name: string): WorkflowVariable | undefined =>
  variables.find((variable) => nameKey(variable.name) === nameKey(name));

const textPieces = (text: string): Piece[] =>
  text
    .split(/(\*+)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('*') ? { kind: 'any' } : { kind: 'text', text: part.normalize('NFC') }));

function piecesOf(pattern: string, variables: readonly WorkflowVariable[]): Piece[] {
  return parsePlaceholders(pattern).parts.flatMap((part): Piece[] => {
    if (typeof part === 'string') return textPieces(part);
    const variable = variableNamed(variables, part.name);
    return [variable ? { kind: 'variable', variable } : { kind: 'any' }];
  });
}

/** What is wrong with a pattern, beside what is wrong with any text that has placeholders. */
export function namePatternIssues(pattern: string, { variables, known }: WorkflowNames): SettingIssue[] {
  const seen = new Set<string>();
  let isBehindVariable = false;
  return parsePlaceholders(pattern).parts.flatMap((part): SettingIssue[] => {
    const follows = isBehindVariable;
    isBehindVariable = typeof part !== 'string';
    if (typeof part === 'string') return [];
    const { name, offset, formats } = part;
    const issue = (code: string): SettingIssue[] => [{ code, field: 'namePattern', params: { name, offset } }];
    // A name that nobody knows is told as in every text.
    if (!variableNamed(variables, name)) return known.get(name) ? issue('workflow.patternVariable') : [];
    if (seen.has(nameKey(name))) return issue('workflow.patternTwice');
    seen.add(nameKey(name));
    if (formats.length > 0) return issue('workflow.patternFormat');
    return follows ? issue('workflow.patternUnclear') : [];
  });
}

/** Whether a text can be the value of a variable: of a number only digits, of a choice one of its words. */
const fits = (variable: WorkflowVariable, text: string): boolean =>
  text.trim() !== '' && readVariables([variable], { [variable.name]: text }).problems.length === 0;

/**
 * The values that a file's name gives by a pattern; null when the name does not fit. Takes time in proportion to the
 * pattern's length and the square of the name's.
 */
export function matchName(
  pattern: string,
  fileName: string,
  variables: readonly WorkflowVariable[],
): Record<string, string> | null {
  const whole = fileName.normalize('NFC');
  const isWhole = pattern.endsWith('*') || extensionOf(pattern) !== '';
  const name = !isWhole ? whole.slice(0, whole.length - extensionOf(whole).length) : whole;
  const pieces = piecesOf(pattern, variables);
  const failed = new Set<number>();
  const matchFrom = (at: number, from: number): Record<string, string> | null => {
    const piece = pieces[at];
    if (!piece) return from === name.length ? {} : null;
    const place = at * (name.length + 1) + from;
    if (failed.has(place)) return null;
    const found = matchPiece(piece, at, from);
    if (!found) failed.add(place);
    return found;
  };
  const matchPiece = (piece: Piece, at: number, from: number): Record<string, string> | null => {
    if (piece.kind === 'text') {
      const end = from + piece.text.length;
      return name.slice(from, end).toLowerCase() === piece.text.toLowerCase() ? matchFrom(at + 1, end) : null;
    }
    for (let end = piece.kind === 'any' ? from : from + 1; end <= name.length; end += 1) {
      const text = name.slice(from, end);
      if (piece.kind === 'variable' && !fits(piece.variable, text)) continue;
      const rest = matchFrom(at + 1, end);
      if (rest) return piece.kind === 'variable' ? { ...rest, [piece.variable.name]: text.trim() } : rest;
    }
    return null;
  };
  return matchFrom(0, 0);
}
