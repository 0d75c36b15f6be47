import { type Facts, isMissing, nameKey } from '../facts/facts.ts';
import type { KnownNames } from '../facts/known-names.ts';
import { argumentFault, formatOf } from './formats.ts';
import { maxFaults, type Placeholder, type PlaceholderFault, parsePlaceholders, shown } from './parse.ts';
import { plainText, type Reader } from './plain-text.ts';

/** Faults of one well-formed placeholder: its name, its formats, their arguments, and whether each fits what it is put on. */
function faultsOf({ name, formats, offset, end }: Placeholder, known: KnownNames): PlaceholderFault[] {
  const variable = known.get(name);
  if (!variable)
    return [{ code: 'placeholder.unknownName', params: { name: shown(name) }, offset, length: end - offset }];
  let type = variable.type;
  for (const call of formats) {
    const at = { offset: call.offset, length: call.name.length };
    const format = formatOf(call.name);
    if (!format) return [{ code: 'placeholder.unknownFormat', params: { format: shown(call.name) }, ...at }];
    const fault = argumentFault(format, call.argument);
    if (fault) {
      const [min, max] = format.range ?? [];
      const params = {
        format: call.name,
        argument: shown(call.argument ?? ''),
        ...(min !== undefined && { min, max: max ?? min }),
      };
      return [{ code: `placeholder.${fault}`, params, ...at }];
    }
    if (!format.takes.includes(type))
      return [{ code: 'placeholder.formatNotForType', params: { format: call.name, name: shown(name), type }, ...at }];
    // `default` stands in for a missing value and leaves any other as it is.
    if (call.name !== 'default') type = format.gives;
  }
  return [];
}

/**
 * What is wrong with a text that may hold placeholders, in the order of the text: asked where the text is saved. An
 * unknown name is a fault; a known one without a value is not.
 */
export function checkPlaceholders(text: string, known: KnownNames): PlaceholderFault[] {
  const { parts, faults } = parsePlaceholders(text);
  const all = [...faults, ...parts.flatMap((part) => (typeof part === 'string' ? [] : faultsOf(part, known)))];
  return all.sort((one, other) => one.offset - other.offset).slice(0, maxFaults);
}

/** The names that a text uses, each once, as they are written first. */
export function namesIn(text: string): string[] {
  const names = new Map<string, string>();
  for (const part of parsePlaceholders(text).parts)
    if (typeof part !== 'string' && !names.has(nameKey(part.name))) names.set(nameKey(part.name), part.name);
  return [...names.values()];
}

export interface Resolving extends Reader {
  /** Put on each value that is filled in, never on the text around it: HTML, one line, a file name. */
  escape?: (value: string) => string;
}

/**
 * A text with its values filled in. A name without a value is an empty text. The text was checked where it was saved:
 * what does not parse stays as it stands, a format that does not exist is passed over.
 */
export function resolvePlaceholders(
  text: string,
  facts: Facts,
  { escape: escaped = (value) => value, ...reader }: Resolving,
): string {
  const { parts } = parsePlaceholders(text);
  return parts.map((part) => (typeof part === 'string' ? part : escaped(filledIn(part, facts, reader)))).join('');
}

function filledIn({ name, formats }: Placeholder, facts: Facts, reader: Reader): string {
  let fact = facts.get(nameKey(name)) ?? { type: 'String' as const, value: null };
  for (const { name: called, argument } of formats) {
    const format = formatOf(called);
    if (!format || argumentFault(format, argument)) continue;
    if (isMissing(fact.value)) {
      if (called === 'default') fact = { type: 'String', value: argument };
    } else if (called !== 'default') {
      fact = { type: format.gives, value: format.apply(fact, argument ?? '', reader) };
    }
  }
  return plainText(fact, reader);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Text as HTML text or as an attribute in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Text without line breaks and other control characters, as headers of mail and marks of one line need it. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
