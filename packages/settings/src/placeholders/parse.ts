/**
 * The syntax of placeholders: `{{name}}`, `{{name|format}}`, `{{name|format:argument|format}}`. An argument that holds
 * `|`, `}}` or outer blanks stands in double quotes; a double quote in it is written twice. Two opening braces always
 * begin a placeholder. One pass over the text, whatever it holds; by hand because a parser generator would be larger than
 * the grammar.
 */

export interface FormatCall {
  name: string;
  argument: string | null;
  /** Of the format's name in the text, in UTF-16 units, as everywhere here. */
  offset: number;
}

export interface Placeholder {
  name: string;
  formats: readonly FormatCall[];
  /** Of the opening braces. */
  offset: number;
  /** After the closing braces. */
  end: number;
}

/** What is wrong with a text, and where: a code of the `placeholder.*` sentences with its parameters. */
export interface PlaceholderFault {
  code: string;
  params: Record<string, string | number>;
  offset: number;
  length: number;
}

/** More placeholders than anybody writes by hand; what a text can grow to stays bounded. */
export const maxPlaceholders = 1000;
/** Faults told of one text; the rest would be repetition. */
export const maxFaults = 100;

/** A word of a text as a sentence can show it. */
export const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

type Ending = 'next' | 'close' | 'open' | 'end' | 'quote';

/**
 * Reads up to the next `|` or `}}`. An opening `{{` or the end of the text ends it, too, as does an argument in quotes
 * that is not closed on its line or goes on after its closing quote.
 */
function readPiece(text: string, from: number): { raw: string; argument: string | null; at: number; ending: Ending } {
  let at = from;
  let colon = -1;
  for (; at < text.length; at += 1) {
    const character = text[at];
    if (character === '|') return pieceOf(text, from, colon, at, 'next');
    if (character === '}' && text[at + 1] === '}') return pieceOf(text, from, colon, at, 'close');
    if (character === '{' && text[at + 1] === '{') return pieceOf(text, from, colon, at, 'open');
    if (character === ':' && colon < 0) {
      colon = at;
      let quote = at + 1;
      while (text[quote] === ' ') quote += 1;
      if (text[quote] === '"') return readQuoted(text, from, colon, quote);
    }
  }
  return pieceOf(text, from, colon, at, 'end');
}

function pieceOf(text: string, from: number, colon: number, at: number, ending: Ending) {
  return {
    raw: text.slice(from, colon < 0 ? at : colon),
    argument: colon < 0 ? null : text.slice(colon + 1, at).trim(),
    at,
    ending,
  };
}

function readQuoted(text: string, from: number, colon: number, quote: number) {
  const raw = text.slice(from, colon);
  const pieces: string[] = [];
  let start = quote + 1;
  for (let at = start; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] !== '"') continue;
    pieces.push(text.slice(start, at));
    if (text[at + 1] === '"') {
      pieces.push('"');
      at += 1;
      start = at + 1;
      continue;
    }
    let after = at + 1;
    while (text[after] === ' ') after += 1;
    const argument = pieces.join('');
    if (text[after] === '|') return { raw, argument, at: after, ending: 'next' as const };
    if (text[after] === '}' && text[after + 1] === '}') return { raw, argument, at: after, ending: 'close' as const };
    return { raw, argument, at: after, ending: 'quote' as const };
  }
  const line = text.indexOf('\n', quote);
  return { raw, argument: null, at: line < 0 ? text.length : line, ending: 'quote' as const };
}

/** Where the next placeholder opens; of more than two braces the last two open it. Negative: nowhere. */
function nextOpening(text: string, from: number): number {
  let open = text.indexOf('{{', from);
  while (open >= 0 && text[open + 2] === '{') open += 1;
  return open;
}

/**
 * The parts of a text in order, strings as they stand and placeholders. What is not well formed stays text and is told
 * as a fault. Takes time in proportion to the text's length.
 */
export function parsePlaceholders(text: string): { parts: (string | Placeholder)[]; faults: PlaceholderFault[] } {
  const parts: (string | Placeholder)[] = [];
  const faults: PlaceholderFault[] = [];
  const tell = (code: string, offset: number, end: number) => {
    if (faults.length < maxFaults)
      faults.push({ code: `placeholder.${code}`, params: {}, offset, length: end - offset });
  };
  let literal = 0;
  let count = 0;
  for (let open = nextOpening(text, 0); open >= 0; ) {
    const read = readPlaceholder(text, open);
    if (typeof read.placeholder === 'string') {
      tell(read.placeholder, open, read.at);
    } else if (count === maxPlaceholders) {
      tell('tooMany', open, read.at);
      break;
    } else {
      count += 1;
      if (open > literal) parts.push(text.slice(literal, open));
      parts.push(read.placeholder);
      literal = read.at;
    }
    open = nextOpening(text, read.at);
  }
  if (literal < text.length) parts.push(text.slice(literal));
  return { parts, faults };
}

/** The placeholder that opens at `open`, or the fault that it is not one; `at` is where reading goes on. */
function readPlaceholder(text: string, open: number): { placeholder: Placeholder | string; at: number } {
  const formats: FormatCall[] = [];
  let name: string | null = null;
  let from = open + 2;
  for (;;) {
    const { raw, argument, at, ending } = readPiece(text, from);
    if (ending === 'open' || ending === 'end') return { placeholder: 'unclosed', at };
    if (ending === 'quote') return { placeholder: 'quoteUnclosed', at };
    // A name has no argument: whatever stands after a colon there belongs to the name, which is then unknown.
    if (name === null) name = (argument === null ? raw : `${raw}:${argument}`).trim();
    else formats.push({ name: raw.trim(), argument, offset: from + (raw.length - raw.trimStart().length) });
    if (ending === 'close') {
      const end = at + 2;
      return { placeholder: name === '' ? 'empty' : { name, formats, offset: open, end }, at: end };
    }
    from = at + 1;
  }
}
