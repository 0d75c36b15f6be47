/** Attribute values; undefined ones are omitted. Numbers are written with at most three decimals. */
export type XmlAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Written as they are, readers of an attribute would take them for blanks.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** A text as XML 1.0 may hold it, in an attribute or between tags; characters that XML cannot hold are left out. */
export const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replace(/[&<>"'\t\n\r]/g, (char) => escapes[char] ?? '');

export const xmlNumber = (value: number): string => String(Number(value.toFixed(3)));

/** A list of numbers, as sizes, boxes and matrices are written. */
export const xmlNumbers = (values: readonly number[]): string => values.map(xmlNumber).join(' ');

/** Converts text to an XML NMTOKEN: other characters become a hyphen. */
export const xmlToken = (text: string): string => text.replace(/[^\p{L}\p{Nd}._:-]+/gu, '-') || '-';

/** An element with its children indented. */
export function xmlElement(name: string, attributes: XmlAttributes, children: readonly string[] = []): string {
  const list = Object.entries(attributes)
    .flatMap(([key, value]) =>
      value === undefined
        ? []
        : [` ${key}="${typeof value === 'number' ? xmlNumber(value) : escapeXml(String(value))}"`],
    )
    .join('');
  if (children.length === 0) return `<${name}${list}/>`;
  return `<${name}${list}>\n${children.join('\n').replace(/^/gm, '  ')}\n</${name}>`;
}
