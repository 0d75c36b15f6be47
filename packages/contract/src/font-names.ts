/** Names of fonts, as files write them and as fonts call themselves. */

export interface FontNames {
  postScriptName: string;
  family: string;
  style: string;
  fullName: string;
}

const withoutTag = (name: string): string => name.replace(/^[A-Z]{6}\+/, '');

/**
 * A name without what is written in several ways: spaces and signs, the tag of a subset, `PS` and `MT` of names from
 * Monotype, words for an upright font. `TimesNewRomanPS-BoldMT`, `TimesNewRoman,Bold` and `Times New Roman Bold` are one.
 */
export function fontNameKey(name: string): string {
  const plain = withoutTag(name)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  const [, stem = plain, style = ''] = /^(.+?)((?:regular|normal|bold|italic|oblique)*)(?:mt)?$/.exec(plain) ?? [];
  return [stem.replace(/(?:ps|mt)$/, ''), style.includes('bold') && 'bold', /italic|oblique/.test(style) && 'italic']
    .filter(Boolean)
    .join(' ');
}

/**
 * The fonts that bear a name, best first: those of the very PostScript name, then those of the same family and style.
 * @param name as in a PDF: `ABCDEF+Arial-BoldMT`, `Arial,Bold`
 */
export function fontsNamed<F extends FontNames>(fonts: readonly F[], name: string): F[] {
  const wanted = withoutTag(name);
  const key = fontNameKey(name);
  const exact = fonts.filter(({ postScriptName }) => postScriptName === wanted);
  const alike = fonts.filter(
    (font) =>
      font.postScriptName !== wanted &&
      [font.postScriptName, font.fullName, `${font.family} ${font.style}`].some((given) => fontNameKey(given) === key),
  );
  return [...exact, ...alike];
}
