/** Encodings and metrics of the two standard fonts of symbols (ISO 32000-1, annexes D.5 and D.6, and 9.6.2.2). */
import tables from './standard-symbols.json' with { type: 'json' };

export interface StandardSymbols {
  /** The glyph name of a code; '' for none. */
  readonly nameOf: (code: number) => string;
  /** Thousandths of an em; 0 for a name that the font does not have. */
  readonly widthOf: (name: string) => number;
}

/** What is known of a standard font of symbols; null for another font. */
export function standardSymbols(baseName: string): StandardSymbols | null {
  if (!Object.hasOwn(tables, baseName)) return null;
  const { names, widths } = tables[baseName as keyof typeof tables];
  const byCode = new Map(Object.entries(names));
  const byName = new Map<string, number>(Object.entries(widths));
  return { nameOf: (code) => byCode.get(String(code)) ?? '', widthOf: (name) => byName.get(name) ?? 0 };
}
