const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The name of an ink as people write it. PDF names are bytes that should be UTF-8 (ISO 32000-1 7.3.5) and, in older
 * files, are Latin-1.
 */
export function decodeInkName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    // Not UTF-8: every byte is a character of its own.
    return Buffer.from(bytes).toString('latin1');
  }
}

/** The same for a name that holds one character per byte, as the object model keeps names. */
export const inkNameOf = (name: string): string => decodeInkName(Buffer.from(name, 'latin1'));

/** The inks of every press sheet, in plate order; never spot colours. */
export const processInks = ['Cyan', 'Magenta', 'Yellow', 'Black'] as const;
