/** Attribute values; undefined ones are omitted. Numbers are written with at most three decimals. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string =>
  // XML 1.0 does not allow control characters.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (char) => escapes[char] ?? '');

export const xmlNumber = (value: number): string => String(Number(value.toFixed(3)));

/** An element with its children indented. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const list = Object.entries(attributes)
    .flatMap(([key, value]) =>
      value === undefined ? [] : [` ${key}="${typeof value === 'number' ? xmlNumber(value) : escapeXml(value)}"`],
    )
    .join('');
  if (children.length === 0) return `<${name}${list}/>`;
  return `<${name}${list}>\n${children.join('\n').replace(/^/gm, '  ')}\n</${name}>`;
}
