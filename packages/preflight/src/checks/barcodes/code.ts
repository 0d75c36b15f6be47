import type { Corners } from './structure.ts';
import type { SymbologyKey } from './symbologies.ts';

/** A code that the reader found, with its corners in pixels of the raster, in the direction of reading. */
export interface Code extends Corners {
  readonly format: SymbologyKey;
  readonly text: string;
  /** `unreadable`: three finder patterns of a QR Code, which chance may make as well. */
  readonly state: 'read' | 'wrongCheckDigit' | 'unreadable';
  /** Bright on dark. */
  readonly isReversed: boolean;
  readonly isGs1: boolean;
  /** Modules along a side of a matrix code; null for linear codes. */
  readonly side: number | null;
}
