const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes the name of an ink. PDF names should be UTF-8 (ISO 32000-1, 7.3.5); older files use Latin-1. */
export function decodeInkName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** The same for a name with one character per byte, as PDF values contain it. */
export const inkNameOf = (name: string): string => decodeInkName(Buffer.from(name, 'latin1'));

/** The process inks in the order of the plates. */
export const processInks = ['Cyan', 'Magenta', 'Yellow', 'Black'] as const;
