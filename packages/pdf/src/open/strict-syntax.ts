/**
 * Whether text is what ISO 32000-1, 7.3 asks for. Our own reader is lenient; where MuPDF finds a fault in what it reads first,
 * it builds the table of the whole file anew.
 */

/** White space and comments; then one token: an opening or closing sign, a name, or another value. */
const token =
  /(?:[\0\t\n\f\r ]|%[^\r\n]*(?=[\r\n]))*(?:(<<|\[)|(>>|\])|(\/[^\0\t\n\f\r ()<>[\]{}/%]*)|((?:\d{1,10} \d{1,5} R|[+-]?(?:\d{1,10}(?:\.\d{0,10})?|\.\d{1,10})|true|false|null)(?![^\0\t\n\f\r ()<>[\]{}/%])|\((?:[^()\\]|\\[\s\S])*\)|<[\dA-Fa-f\t\n\f\r ]*>))/y;

/**
 * Whether a dictionary without a fault begins at `from`. What is rare and allowed (brackets in strings, a comment inside a
 * reference) counts as a fault.
 */
export function isStrictDict(text: string, from = 0): boolean {
  /** The dictionaries and arrays that are open; of a dictionary, whether a key waits for its value. */
  const open: { closing: string; isWaiting: boolean }[] = [];
  token.lastIndex = from;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [, opening, closing, name] = match;
    const inner = open.at(-1);
    if (closing !== undefined) {
      if (inner?.closing !== closing || inner.isWaiting) return false;
      open.pop();
      if (open.length === 0) return true;
      continue;
    }
    if (inner?.closing === '>>') {
      if (!inner.isWaiting && name === undefined) return false;
      inner.isWaiting = !inner.isWaiting;
    }
    if (opening !== undefined) open.push({ closing: opening === '<<' ? '>>' : ']', isWaiting: false });
    else if (!inner) return false;
  }
  return false;
}
