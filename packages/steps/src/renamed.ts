import { cleanStem, extensionOf } from '@pdf2press/contract';
import {
  type Facts,
  formats,
  namesIn,
  type Reader,
  type RegularExpressions,
  resolvePlaceholders,
} from '@pdf2press/settings';
import anyAscii from 'any-ascii';
import { addedBy, type RenameOperation, type RenameRules, textsOf } from './naming-rules.ts';

/** What names are made from. */
export interface Naming {
  facts: Facts;
  reader: Reader;
  /** Needed when an operation is a `regex`; `loadRegularExpressions` brings it. */
  regular: RegularExpressions | null;
  /** Names that other files of the session have. */
  taken: readonly string[];
  /** A text that no other step of the session has, for the collision rule `unique`. */
  unique: string;
}

/** The variables that the settings use. */
export const namesInRename = ({ pattern, operations }: RenameRules): string[] => [
  ...new Set([pattern, ...operations.flatMap(textsOf)].flatMap(namesIn)),
];

type Change = (stem: string, operation: RenameOperation, naming: Naming) => string;

const filledIn = (text: string, { facts, reader }: Naming): string => resolvePlaceholders(text, facts, reader);

/** The segments of a name and which of them is meant; null when it has no such segment. */
function segmentsOf(
  stem: string,
  { separator, segment, countsFromEnd }: RenameOperation,
): { segments: string[]; at: number } | null {
  if (separator === '') return null;
  const segments = stem.split(separator);
  const at = countsFromEnd ? segments.length - segment : segment - 1;
  return at >= 0 && at < segments.length ? { segments, at } : null;
}

/** Adds what a date or a counter gives; a name to which nothing is added gets no separator. */
const added: Change = (stem, operation, naming) => {
  const { place, separator } = operation;
  const value = filledIn(addedBy(operation), naming);
  if (value === '') return stem;
  return place === 'front' ? value + separator + stem : stem + separator + value;
};

/** Marks above and below letters of alphabets in which the letter without them can be read. */
const diacritics = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu;

const changes: Readonly<Record<RenameOperation['action'], Change>> = {
  prefix: (stem, { text }, naming) => filledIn(text, naming) + stem,
  suffix: (stem, { text }, naming) => stem + filledIn(text, naming),
  replace: (stem, { find, replacement, isCaseSensitive }, naming) => {
    const wanted = filledIn(find, naming);
    if (wanted === '') return stem;
    // The escaped text has no repetition: matching it takes linear time.
    const literal = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), isCaseSensitive ? 'gu' : 'giu');
    const made = filledIn(replacement, naming);
    return stem.replace(literal, () => made);
  },
  regex: (stem, { expression, replacement, isCaseSensitive }, { facts, reader, regular }) => {
    const replace = regular?.replacer(expression, { isCaseSensitive });
    // A value is text: only the settings themselves name groups.
    const literal = (value: string) => value.replaceAll('$', '$$$$');
    return replace ? replace(stem, resolvePlaceholders(replacement, facts, { ...reader, escape: literal })) : stem;
  },
  keepSegment: (stem, operation) => {
    const found = segmentsOf(stem, operation);
    return found?.segments[found.at] ?? stem;
  },
  removeSegment: (stem, operation) => {
    const found = segmentsOf(stem, operation);
    return found ? found.segments.toSpliced(found.at, 1).join(operation.separator) : stem;
  },
  case: (stem, { letters }, { reader }) => String(formats[letters].apply({ type: 'String', value: stem }, '', reader)),
  trim: (stem) => stem.trim().replace(/\s+/g, ' '),
  pad: (stem, { digits }) => stem.replace(/\d+/g, (number) => number.padStart(digits, '0')),
  diacritics: (stem) => stem.normalize('NFD').replace(diacritics, '$1').normalize('NFC'),
  transliterate: (stem) => anyAscii(stem),
  date: added,
  counter: added,
};

/** Characters that a name may have between two operations: replacing may make it longer each time. */
const longest = 2_000;

const key = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * The name that a file gets: always clean, with the file's own extension, and by the collision rule another one than those
 * taken. Where the pattern and the operations leave nothing, the file keeps its name.
 * @param name the file's name as it is
 * @returns null when the name is taken and the rule is `fail`, with the name in `wanted`
 */
export function renamed(name: string, settings: RenameRules, naming: Naming): { wanted: string; name: string | null } {
  const extension = extensionOf(name);
  const given = filledIn(settings.pattern, naming).trim();
  const hasExtension = extension !== '' && given.toLowerCase().endsWith(extension.toLowerCase());
  const start = hasExtension ? given.slice(0, given.length - extension.length) : given;
  const changed = settings.operations.reduce(
    (stem, operation) => changes[operation.action](stem, operation, naming).slice(0, longest),
    start.slice(0, longest),
  );
  const own = extension === '' ? name : name.slice(0, -extension.length);
  const stem = cleanStem(changed, extension) === '' ? own : changed;
  const ended = (ending: string) => (cleanStem(stem, ending + extension) || 'file') + ending + extension;
  const taken = new Set(naming.taken.map(key));
  const wanted = ended('');
  if (settings.collision === 'overwrite' || !taken.has(key(wanted))) return { wanted, name: wanted };
  if (settings.collision === 'fail') return { wanted, name: null };
  const mark = settings.collision === 'unique' ? `_${cleanStem(naming.unique, '').slice(-12)}` : '_v2';
  let free = ended(mark);
  for (let version = settings.collision === 'unique' ? 2 : 3; taken.has(key(free)); version += 1)
    free = ended(settings.collision === 'unique' ? `${mark}_v${version}` : `_v${version}`);
  return { wanted, name: free };
}
