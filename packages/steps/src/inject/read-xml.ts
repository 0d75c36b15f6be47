/* The part of XML that a page of values needs, and nothing that could reach outside of it or grow. */

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const deepest = 20;

const token =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?=]+)((?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const attribute = /([^\s<>/=]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

/** A text with its references replaced; null for one that a document type would have to explain. */
function plain(text: string): string | null {
  let isKnown = true;
  const made = text.replace(/&([^;\s&]{0,12});?/g, (whole, name: string) => {
    const code = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
    const point = code ? Number.parseInt(code[1] ?? code[2] ?? '', code[1] === undefined ? 10 : 16) : -1;
    const value = point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : named[name];
    if (value === undefined || !whole.endsWith(';')) isKnown = false;
    return value ?? '';
  });
  return isKnown ? made : null;
}

/**
 * The texts of the innermost elements and of the attributes, by their path below the root: `order.copies`. Of several of one
 * path the first counts. Null for what is not well formed, for document types and for entities of its own.
 */
export function readXml(text: string): Map<string, string> | null {
  const values = new Map<string, string>();
  const open: { name: string; text: string; hasInner: boolean }[] = [];
  let roots = 0;
  const pathOf = (last: readonly string[] = []) => [...open.slice(1).map(({ name }) => name), ...last].join('.');
  const keep = (path: string, value: string) => {
    if (path !== '' && !values.has(path)) values.set(path, value.trim());
  };
  const close = () => {
    const last = open.at(-1);
    if (last && !last.hasInner) keep(pathOf(), last.text);
    open.pop();
  };
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (!match) return null;
    const [, cdata, closed, opened, attributes = '', isEmpty, between] = match;
    const current = open.at(-1);
    if (opened !== undefined) {
      if (current) current.hasInner = true;
      else roots += 1;
      open.push({ name: opened, text: '', hasInner: false });
      if (roots > 1 || open.length > deepest) return null;
      for (const [, name = '', double, single] of attributes.matchAll(attribute)) {
        const value = plain(double ?? single ?? '');
        if (value === null) return null;
        keep(pathOf([name]), value);
      }
      if (isEmpty) close();
    } else if (closed !== undefined) {
      if (current?.name !== closed) return null;
      close();
    } else if (cdata !== undefined || between !== undefined) {
      const value = cdata ?? plain(between ?? '');
      if (value === null || (!current && value.trim() !== '')) return null;
      if (current) current.text += value;
    }
  }
  return open.length === 0 && roots === 1 ? values : null;
}
