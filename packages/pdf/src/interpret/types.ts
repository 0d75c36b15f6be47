/**
 * Types of the data that the interpreter gives to its readers, in one file because they refer to each other throughout.
 * Coordinates are points in default user space of the page, without /Rotate (the same as those of the page boxes).
 * Multiply by `PageFacts.userUnit` for physical size. Everything given to a reader may be kept: states, runs, colours
 * and fonts are never changed afterwards.
 */
import type { PdfDict, PdfValue } from '../open/values.ts';

/** [a b c d e f] as in the `cm` operator: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number];
/** [x0 y0 x1 y1] with x0 ≤ x1 and y0 ≤ y1. An empty rectangle has x0 > x1. */
export type Rect = readonly [number, number, number, number];
/** x and y of four corners: lower left, lower right, upper right, upper left before the transformation. */
export type Quad = readonly [number, number, number, number, number, number, number, number];

export type DeviceFamily = 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK';

/**
 * A resolved colour space (ISO 32000-1, 8.6). `components` is the number of values of a colour. `object` is the object
 * number of the array or stream that defines it, 0 for a direct object or a device space.
 */
export type ColorSpace =
  | { readonly family: DeviceFamily; readonly components: number; readonly object: 0 }
  | {
      readonly family: 'CalGray' | 'CalRGB';
      readonly components: number;
      readonly object: number;
      readonly dict: PdfDict | null;
      readonly substitutes: DeviceFamily | null;
    }
  | {
      readonly family: 'Lab';
      readonly components: 3;
      readonly object: number;
      readonly dict: PdfDict | null;
      /** a minimum, a maximum, b minimum, b maximum */
      readonly range: readonly [number, number, number, number];
      readonly substitutes: DeviceFamily | null;
    }
  | {
      readonly family: 'ICCBased';
      readonly components: number;
      readonly object: number;
      /** Object number of the profile stream. */
      readonly profile: number;
      /** The Alternate of the file, or the device space with as many components. */
      readonly alternate: ColorSpace;
      /** The device space that this space replaces as DefaultGray, DefaultRGB or DefaultCMYK; else null. */
      readonly substitutes: DeviceFamily | null;
    }
  | {
      readonly family: 'Indexed';
      readonly components: 1;
      readonly object: number;
      readonly base: ColorSpace;
      readonly hival: number;
      /** `base.components` bytes per entry; may be shorter than declared. */
      readonly lookup: Uint8Array;
    }
  | {
      readonly family: 'Separation';
      readonly components: 1;
      readonly object: number;
      /** The ink name; also 'All', 'None' or a process ink. */
      readonly names: readonly [string];
      /** The same as written in the file, one character per byte. */
      readonly written: readonly string[];
      readonly alternate: ColorSpace;
      readonly tint: PdfValue;
      readonly substitutes: DeviceFamily | null;
    }
  | {
      readonly family: 'DeviceN';
      readonly components: number;
      readonly object: number;
      readonly names: readonly string[];
      /** The same as written in the file, one character per byte. */
      readonly written: readonly string[];
      readonly alternate: ColorSpace;
      readonly tint: PdfValue;
      /** Attributes dictionary with Subtype, Colorants, Process and MixingHints (ISO 32000-1, 8.6.6.5). */
      readonly attributes: PdfDict | null;
      readonly substitutes: DeviceFamily | null;
    }
  | {
      readonly family: 'Pattern';
      readonly components: number;
      readonly object: number;
      /** Colour space for an uncoloured tiling pattern. */
      readonly underlying: ColorSpace | null;
    }
  /** Unreadable; colours are treated as one-component black. */
  | { readonly family: 'Unknown'; readonly components: number; readonly object: number };

/** A current colour: a space with values, or a pattern. */
export interface Paint {
  readonly space: ColorSpace;
  /**
   * One value per component as written: Lab and Indexed in their own ranges, others 0 to 1. For an uncoloured pattern,
   * its colour.
   */
  readonly values: readonly number[];
  readonly pattern: Pattern | null;
}

/** A pattern (ISO 32000-1, 8.7). */
export type Pattern =
  | {
      readonly type: 'tiling';
      readonly object: number;
      readonly name: string;
      readonly dict: PdfDict;
      readonly isColored: boolean;
      /** Maps pattern space to default user space. */
      readonly matrix: Matrix;
    }
  | {
      readonly type: 'shading';
      readonly object: number;
      readonly name: string;
      readonly dict: PdfDict;
      readonly shading: Shading;
      readonly matrix: Matrix;
    };

/** A shading (ISO 32000-1, 8.7.4). */
export interface Shading {
  readonly type: number;
  readonly object: number;
  readonly dict: PdfDict;
  readonly space: ColorSpace;
}

export type FontType =
  | 'Type1'
  | 'Type1C'
  | 'TrueType'
  | 'Type3'
  | 'CIDFontType0'
  | 'CIDFontType0C'
  | 'CIDFontType2'
  | 'OpenType';

/** Facts of a font (ISO 32000-1, 9.5 to 9.8). */
export interface Font {
  /** Object number of the font dictionary; 0 for a direct object. */
  readonly object: number;
  readonly dict: PdfDict;
  /** BaseFont as written, with subset prefix; '' for a Type 3 font without name. */
  readonly name: string;
  /** BaseFont without the subset prefix `ABCDEF+`. */
  readonly baseName: string;
  readonly isSubset: boolean;
  /** Type of the embedded program; without one, the declared type. */
  readonly type: FontType;
  readonly isComposite: boolean;
  /** False when the font program must be provided by the reader. Type 3 fonts count as embedded. */
  readonly isEmbedded: boolean;
  /** Object number of FontFile, FontFile2 or FontFile3; 0 when there is none. */
  readonly program: number;
  readonly isVertical: boolean;
  readonly isSymbolic: boolean;
  /** Extents above and below the baseline in thousandths of an em (Type 3: glyph space × FontMatrix × 1000). */
  readonly ascent: number;
  readonly descent: number;
  /** Maps glyph space to text space: [0.001 0 0 0.001 0 0] except for Type 3. */
  readonly fontMatrix: Matrix;
}

/** One shown glyph. */
export interface Glyph {
  /** Character code as written, and its number of bytes. */
  readonly code: number;
  readonly codeBytes: number;
  /** CID for a composite font, else the code. */
  readonly cid: number;
  /** From ToUnicode, else from the encoding; '' when unknown. */
  readonly unicode: string;
  /** Index of the first byte of the code in `TextEvent.bytes`. */
  readonly offset: number;
  /**
   * Advance in text space for font size 1 as the font declares it, without the text's spacing and scaling; negative in
   * vertical writing, which runs downwards.
   */
  readonly advance: number;
  /** Origin on the page. */
  readonly x: number;
  readonly y: number;
  /** Box on the page from origin to advance and from descent to ascent. */
  readonly quad: Quad;
  readonly bbox: Rect;
}

/** Text state (ISO 32000-1, 9.3). */
export interface TextState {
  readonly font: Font | null;
  /** Operand of Tf. The size on the page is `TextEvent.effectiveSize`. */
  readonly size: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  /** Horizontal scaling, 1 = 100 %. */
  readonly scaling: number;
  readonly leading: number;
  readonly rise: number;
  /** Tr: 0 fill, 1 stroke, 2 both, 3 invisible, 4 to 7 the same with clipping. */
  readonly mode: number;
  readonly knockout: boolean;
}

/** The current clip. */
export interface Clip {
  /** Bounding box of the clip on the page; the clip itself may be smaller. */
  readonly bbox: Rect;
  /** True when nothing can be painted any more. */
  readonly isEmpty: boolean;
  /** True when the clip is exactly its bounding box. */
  readonly isRect: boolean;
}

/** A soft mask (ISO 32000-1, 11.6.5.2). */
export interface SoftMask {
  readonly subtype: 'Alpha' | 'Luminosity';
  /** Object number of the transparency group. */
  readonly group: number;
  readonly dict: PdfDict;
  /** CTM at the time the mask was set. */
  readonly ctm: Matrix;
}

/**
 * A snapshot of the graphics state (ISO 32000-1, 8.4). Never changed once given out; the same object until something
 * changes.
 */
export interface GraphicsState {
  readonly ctm: Matrix;
  readonly clip: Clip;
  readonly fill: Paint;
  readonly stroke: Paint;
  /** OP: overprint for stroking. */
  readonly strokeOverprint: boolean;
  /** op: overprint for all other painting. */
  readonly fillOverprint: boolean;
  /** OPM: 0 or 1. */
  readonly overprintMode: number;
  /** The blend mode that applies: the first known one of an array. Compatible is given as Normal. */
  readonly blendMode: string;
  readonly fillAlpha: number;
  readonly strokeAlpha: number;
  readonly alphaIsShape: boolean;
  readonly softMask: SoftMask | null;
  /** As written; `PathEvent.lineWidth` is the width on the page. */
  readonly lineWidth: number;
  readonly lineCap: number;
  readonly lineJoin: number;
  readonly miterLimit: number;
  readonly dash: readonly number[];
  readonly dashPhase: number;
  readonly flatness: number;
  readonly strokeAdjust: boolean;
  readonly renderingIntent: string;
  readonly text: TextState;
  /** Values of the ExtGState entries TR, TR2, HT, HTP, BG, BG2, UCR and UCR2 that were set; null when none was. */
  readonly device: ReadonlyMap<string, PdfValue> | null;
}

/** Optional content that contains an object; the same instance until it changes. */
export interface Layers {
  /** Object numbers of the enclosing OCGs and OCMDs, outermost first. */
  readonly objects: readonly number[];
  /** Names of the enclosing OCGs; for an OCMD those of its OCGs. */
  readonly names: readonly string[];
  /**
   * `isVisible`: in the default configuration. `isPrinted`: when printing, by Usage/Print with /AS, else like
   * `isVisible`.
   */
  readonly isVisible: boolean;
  readonly isPrinted: boolean;
}

/** A marked-content sequence that contains an object, innermost first (ISO 32000-1, 14.6). */
export interface MarkedContent {
  readonly tag: string;
  readonly properties: PdfDict | null;
  readonly mcid: number | null;
  readonly parent: MarkedContent | null;
}

export type RunKind = 'page' | 'form' | 'pattern' | 'type3' | 'appearance' | 'softmask';

/** The execution of one content stream in one place of use. */
export interface Run {
  readonly kind: RunKind;
  /** Page number from 1. */
  readonly page: number;
  /** Object number of the stream; for a page, of the page object. */
  readonly object: number;
  readonly dict: PdfDict;
  readonly parent: Run | null;
  /**
   * The operator in the parent that caused it: Do, a text operator (Type 3), a painting operator (pattern) or gs (soft
   * mask).
   */
  readonly via: Place | null;
  /** Resource name ('Fm12'); '' for a page; 'annot3' for the annotation with index 3. */
  readonly name: string;
  /** CTM at the start, including the Matrix of the form or pattern. */
  readonly ctm: Matrix;
  readonly resources: PdfDict | null;
  /** Transparency group attributes; null when it is not a transparency group. */
  readonly group: Group | null;
  /** The annotation whose appearance contains this run. */
  readonly annotation: Annotation | null;
  /** Nesting depth; 0 for the page. */
  readonly depth: number;
  /** True inside the group of a soft mask, where painting only affects transparency. */
  readonly isInSoftMask: boolean;
  /** True inside the cell of a tiling pattern. */
  readonly isInPattern: boolean;
  /**
   * Inside the cell of a tiling pattern that shows more than once: what was painted with the pattern. The places of events
   * are those of the cell at the origin of the pattern, where nothing has to be painted; `shownOnPage` says where they
   * show. Null for a cell that shows once: its events tell the place where it does.
   */
  readonly tiled: Tiling | null;
  /** Decoded bytes; `Place.start` and `Place.end` are positions in these. */
  readonly bytes: Uint8Array;
  /** The streams that the bytes consist of (several for page contents), in order. */
  readonly segments: readonly { readonly object: number; readonly start: number; readonly end: number }[];
}

/** An area painted with a tiling pattern. */
export interface Tiling {
  /** Default user space, clipped. */
  readonly area: Rect;
  /** The moves that bring the cell at the origin of the pattern into the area; null for too many to tell apart. */
  readonly repeats: readonly (readonly [x: number, y: number])[] | null;
}

/** Transparency group attributes (ISO 32000-1, 11.6.6). */
export interface Group {
  readonly isIsolated: boolean;
  readonly isKnockout: boolean;
  readonly space: ColorSpace | null;
}

/** An annotation with the appearance that is executed (ISO 32000-1, 12.5). */
export interface Annotation {
  readonly object: number;
  /** Index in /Annots, from 0. */
  readonly index: number;
  readonly subtype: string;
  readonly rect: Rect;
  readonly flags: number;
  /**
   * `isVisible`: neither Hidden nor NoView is set. `isPrinted`: Print is set and Hidden is not (ISO 32000-1, 12.5.3).
   */
  readonly isVisible: boolean;
  readonly isPrinted: boolean;
  readonly dict: PdfDict;
  /** Keys of the appearance under /AP: `N`, or `N Yes` if there are several states. */
  readonly way: readonly string[];
}

/** Position of an operator. */
export interface Place {
  readonly run: Run;
  readonly op: string;
  /** Index of the operator in its run, from 0. */
  readonly index: number;
  /** Byte range [start, end) of operands and operator in `run.bytes`; for an inline image from BI to EI. */
  readonly start: number;
  readonly end: number;
}

export interface EventBase {
  readonly place: Place;
  readonly state: GraphicsState;
  readonly layers: Layers;
  readonly marks: MarkedContent | null;
}

export type VisitBox = (
  code: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  codeBytes: number,
  x: number,
  y: number,
) => void;

export interface TextEvent extends EventBase {
  readonly kind: 'text';
  readonly font: Font | null;
  /**
   * Font size on the page in points: Tf size × text matrix × CTM, measured vertically, so without horizontal scaling.
   */
  readonly effectiveSize: number;
  /** Text rendering matrix at the first glyph (ISO 32000-1, 9.4.4), including size, rise, scaling and CTM. */
  readonly matrix: Matrix;
  readonly glyphCount: number;
  /** The codes shown; strings of a TJ are joined. */
  readonly bytes: Uint8Array;
  /** Box of all glyphs, not clipped. */
  readonly bbox: Rect;
  readonly paints: 'fill' | 'stroke' | 'both' | 'none';
  /** The single glyphs, computed on first use. */
  readonly glyphs: () => readonly Glyph[];
  /** Calls `visit` with each code and its origin on the page, without keeping anything. */
  readonly eachCode: (visit: (code: number, codeBytes: number, x: number, y: number) => void) => void;
  /**
   * Calls `visit` with each code, the box of its glyph on the page (`Glyph.bbox`), the length of the code and its origin,
   * without keeping anything.
   * @param within leaves out glyphs whose boxes do not even touch this rectangle of the page
   */
  readonly eachBox: (visit: VisitBox, within?: Rect) => void;
  /** `Glyph.unicode` of a code. */
  readonly unicodeOf: (code: number) => string;
}

export interface PathEvent extends EventBase {
  readonly kind: 'path';
  readonly paints: 'fill' | 'stroke' | 'both';
  readonly isEvenOdd: boolean;
  /** Box of the geometry on the page, without line width, not clipped. */
  readonly bbox: Rect;
  /** Box of the painted area including line width (but not mitre joins), clipped. Empty when everything is clipped. */
  readonly painted: Rect;
  /** Stroke width on the page in points, in the thinnest direction; 0 for a fill. */
  readonly lineWidth: number;
  /** Thickness on the page of a filled shape that is so thin that it counts as a line; else null. */
  readonly thinFill: number | null;
  /** True for a single axis-parallel rectangle. */
  readonly isRect: boolean;
  /** Length of `segments()`, without computing them. */
  readonly segmentCount: number;
  /** Segments in default user space, computed on first use: ['M',x,y] ['L',x,y] ['C',x1,y1,x2,y2,x,y] ['Z']. */
  readonly segments: () => readonly PathSegment[];
}
export type PathSegment =
  | readonly ['M', number, number]
  | readonly ['L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

export type ImageEncoding = 'DCT' | 'JPX' | 'JBIG2' | 'CCITT' | 'Flate' | 'LZW' | 'RunLength' | 'none';

/** An image as its dictionary describes it (for JPEG 2000 also its codestream). */
export interface ImageFacts {
  /** Object number; 0 for an inline image. */
  readonly object: number;
  readonly dict: PdfDict;
  readonly width: number;
  readonly height: number;
  readonly bitsPerComponent: number;
  /** True for an image mask (stencil). */
  readonly isStencil: boolean;
  /** Null for a stencil and for a JPEG 2000 image with its own colour space. */
  readonly space: ColorSpace | null;
  readonly components: number;
  readonly encoding: ImageEncoding;
  readonly hasDecode: boolean;
  readonly decode: readonly number[] | null;
  /** SMask, Mask as an image, and Mask as colour key ranges. */
  readonly softMask: ImageFacts | null;
  readonly mask: ImageFacts | null;
  readonly colorKey: readonly number[] | null;
  readonly interpolate: boolean;
  /** Length of the encoded data in bytes, as declared. */
  readonly length: number;
  /** False for encodings that change the samples: JPEG, and JPEG 2000 that is irreversible or truncated. */
  readonly isLossless: boolean;
}

/** Tells that something paints and with which state. `PathEvent` also tells where, at a higher cost. */
export interface PaintEvent extends EventBase {
  readonly paints: PathEvent['paints'];
}

/** An operator that names a resource. Without graphics state, so that it is cheap. */
export interface ResourceUse {
  readonly run: Run;
  readonly op: string;
  readonly name: string;
}

export interface ImageEvent extends EventBase {
  readonly kind: 'image';
  readonly image: ImageFacts;
  readonly isInline: boolean;
  /** Resource name; '' for an inline image. */
  readonly name: string;
  /** Bounding box and corners of the image on the page, not clipped. */
  readonly bbox: Rect;
  readonly quad: Quad;
  /** Pixels per inch along the image axes, including UserUnit. Infinity for an image without extent. */
  readonly ppi: { readonly x: number; readonly y: number };
  /** Data of an inline image, between ID and EI; else null. */
  readonly inlineData: Uint8Array | null;
}

export interface ShadingEvent extends EventBase {
  readonly kind: 'shading';
  readonly shading: Shading;
  /** The painted area: the clip, reduced to the BBox of the shading. */
  readonly bbox: Rect;
}

export interface RunEvent {
  readonly run: Run;
  readonly state: GraphicsState;
  readonly layers: Layers;
  readonly marks: MarkedContent | null;
}

export interface MarkEvent extends EventBase {
  readonly kind: 'mark';
  readonly mark: MarkedContent;
  /** True for MP and DP, false for BMC and BDC. */
  readonly isPoint: boolean;
}

/** Any operator with its operands, before it takes effect. */
export interface OperatorEvent extends EventBase {
  readonly operands: readonly PdfValue[];
}
/** Codes of the errors in content streams that the interpreter reports. */

export type SyntaxCode =
  | 'operator.unknown'
  | 'operand.missing'
  | 'operand.type'
  | 'operand.tooMany'
  | 'token.bad'
  | 'restore.unmatched'
  | 'save.unmatched'
  | 'text.nested'
  | 'text.unmatched'
  | 'mark.unmatched'
  | 'inlineImage.unterminated'
  | 'resource.missing'
  | 'content.unreadable'
  | 'content.recursive'
  | 'content.tooDeep'
  | 'font.unreadable'
  | 'number.huge';

export interface SyntaxEvent {
  readonly code: SyntaxCode;
  readonly place: Place;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Receives events while a page is executed. All methods are optional; what no reader listens to is not computed. */
export interface Reader {
  readonly pageBegin?: (run: Run) => void;
  readonly pageEnd?: (run: Run) => void;
  /** Called before each operator, or before those in `operators`. Slow. */
  readonly operator?: (event: OperatorEvent) => void;
  /** Operators for which `operator` is called; default: all. */
  readonly operators?: ReadonlySet<string>;
  readonly text?: (event: TextEvent) => void;
  readonly path?: (event: PathEvent) => void;
  /** Every painted path, without measuring it. */
  readonly paint?: (event: PaintEvent) => void;
  /** Called for Do, sh, gs, Tf, cs and CS, and for scn and SCN with a pattern, before they take effect. */
  readonly resource?: (use: ResourceUse) => void;
  readonly image?: (event: ImageEvent) => void;
  readonly shading?: (event: ShadingEvent) => void;
  /**
   * Start and end of a form, pattern, Type 3 glyph, appearance or soft mask; see `Run.kind`. `Run.group` is set for a
   * transparency group.
   */
  readonly runBegin?: (event: RunEvent) => void;
  readonly runEnd?: (event: RunEvent) => void;
  readonly mark?: (event: MarkEvent) => void;
  readonly syntax?: (event: SyntaxEvent) => void;
}
