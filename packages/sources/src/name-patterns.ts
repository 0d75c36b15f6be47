/**
 * Whether a text fits a pattern in which `*` stands for any characters. Case is ignored. Takes time in proportion to both,
 * whatever they are: the text is written by strangers.
 */
export function fits(text: string, pattern: string): boolean {
  const given = text.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  if (last === undefined) return given === first;
  if (!given.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = given.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return given.length - last.length >= at && given.endsWith(last);
}
