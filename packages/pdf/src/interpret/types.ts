/**
 * What the interpreter tells its readers. Coordinates are PDF points in the page's **default user space, unrotated**
 * (origin and direction as the page's boxes); multiply by `PageFacts.userUnit` for physical size. Everything handed to
 * a reader may be kept: states, runs, colours and fonts are never changed after they were handed out.
 */
import type { PdfDict, PdfValue } from '../open/values.ts';

/** [a b c d e f] as in the `cm` operator: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number];
/** [x0 y0 x1 y1] with x0 ≤ x1 and y0 ≤ y1. An empty rectangle has x0 > x1. */
export type Rect = readonly [number, number, number, number];
/** Four corners x y: lower left, lower right, upper right, upper left of the unit before transformation. */
export type Quad = readonly [number, number, number, number, number, number, number, number];

// ---------------------------------------------------------------------------------------------------- colour

export type DeviceFamily = 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK';

/**
 * A colour space, resolved. `components` is the number of values a colour has. `object` is the object number of the
 * array or stream that defines it, 0 when written directly or a device space.
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
      /** amin amax bmin bmax */
      readonly range: readonly [number, number, number, number];
      readonly substitutes: DeviceFamily | null;
    }
  | {
      readonly family: 'ICCBased';
      readonly components: number;
      readonly object: number;
      /** Object number of the profile's stream: `document.stream(profile)` gives its bytes. */
      readonly profile: number;
      /** The device space of as many components, or the file's Alternate. */
      readonly alternate: ColorSpace;
      /** The device space in whose place this stands by DefaultGray, DefaultRGB or DefaultCMYK. */
      readonly substitutes: DeviceFamily | null;
    }
  | {
      readonly family: 'Indexed';
      readonly components: 1;
      readonly object: number;
      readonly base: ColorSpace;
      readonly hival: number;
      /** base.components bytes per entry; may be shorter than promised. */
      readonly lookup: Uint8Array;
    }
  | {
      readonly family: 'Separation';
      readonly components: 1;
      readonly object: number;
      /** Also the reserved 'All' and 'None' and the process names. */
      readonly names: readonly [string];
      /** The same as they stand in the file, one character per byte. */
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
      /** The same as they stand in the file, one character per byte. */
      readonly written: readonly string[];
      readonly alternate: ColorSpace;
      readonly tint: PdfValue;
      /** Attributes dictionary (Subtype, Colorants, Process, MixingHints). */
      readonly attributes: PdfDict | null;
      readonly substitutes: DeviceFamily | null;
    }
  | {
      readonly family: 'Pattern';
      readonly components: number;
      readonly object: number;
      /** Colour space of an uncoloured tiling pattern's colour. */
      readonly underlying: ColorSpace | null;
    }
  /** Cannot be read; the colour is taken as black of one component. */
  | { readonly family: 'Unknown'; readonly components: number; readonly object: number };

/** The colour that paints: a space with its values, or a pattern. */
export interface Paint {
  readonly space: ColorSpace;
  /** One per component as written (Lab and Indexed in their own ranges, else 0..1); an uncoloured pattern's colour. */
  readonly values: readonly number[];
  readonly pattern: Pattern | null;
}

export type Pattern =
  | {
      readonly type: 'tiling';
      readonly object: number;
      readonly name: string;
      readonly dict: PdfDict;
      readonly isColored: boolean;
      /** Pattern space to default user space. */
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

export interface Shading {
  readonly type: number;
  readonly object: number;
  readonly dict: PdfDict;
  readonly space: ColorSpace;
}

// ----------------------------------------------------------------------------------------------------- fonts

export type FontType =
  | 'Type1'
  | 'Type1C'
  | 'TrueType'
  | 'Type3'
  | 'CIDFontType0'
  | 'CIDFontType0C'
  | 'CIDFontType2'
  | 'OpenType';

export interface Font {
  /** Object number of the font dictionary, 0 when direct. */
  readonly object: number;
  readonly dict: PdfDict;
  /** BaseFont as written, with its subset prefix; '' for a nameless Type 3. */
  readonly name: string;
  /** Without `ABCDEF+`. */
  readonly baseName: string;
  readonly isSubset: boolean;
  /** By the embedded program where there is one, else by what the dictionary says. */
  readonly type: FontType;
  readonly isComposite: boolean;
  readonly isEmbedded: boolean;
  /** Object number of FontFile, FontFile2 or FontFile3; 0 when none. */
  readonly program: number;
  readonly isVertical: boolean;
  readonly isSymbolic: boolean;
  /** Above and below the baseline, in thousandths of an em (Type 3: in glyph space after FontMatrix × 1000). */
  readonly ascent: number;
  readonly descent: number;
  /** Glyph space to text space: [0.001 0 0 0.001 0 0] except Type 3. */
  readonly fontMatrix: Matrix;
}

export interface Glyph {
  /** Character code as written, and the number of bytes it took. */
  readonly code: number;
  readonly codeBytes: number;
  /** CID of a composite font, else the code. */
  readonly cid: number;
  /** From ToUnicode, the encoding, or ''. */
  readonly unicode: string;
  /** Index of the code's first byte in the operator's bytes (strings of a TJ joined). */
  readonly offset: number;
  /** Advance in text space units before scaling (1 = one em), vertical fonts: downwards is negative. */
  readonly advance: number;
  /** Origin on the page. */
  readonly x: number;
  readonly y: number;
  /** Box from the origin over the advance, descent to ascent, on the page. */
  readonly quad: Quad;
  readonly bbox: Rect;
}

// ---------------------------------------------------------------------------------------------------- state

export interface TextState {
  readonly font: Font | null;
  /** Tf operand. The effective size is in `TextEvent.effectiveSize`. */
  readonly size: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  /** 1 = 100 %. */
  readonly scaling: number;
  readonly leading: number;
  readonly rise: number;
  /** Tr: 0 fill, 1 stroke, 2 both, 3 invisible, 4..7 the same and clip. */
  readonly mode: number;
  readonly knockout: boolean;
}

export interface Clip {
  /** Bounding box on the page: a superset of what the clip lets through. */
  readonly bbox: Rect;
  /** Nothing shows any more. */
  readonly isEmpty: boolean;
  /** The clip is exactly its bbox. */
  readonly isRect: boolean;
}

export interface SoftMask {
  readonly subtype: 'Alpha' | 'Luminosity';
  /** Object number of the transparency group form. */
  readonly group: number;
  readonly dict: PdfDict;
  /** CTM when the mask was set. */
  readonly ctm: Matrix;
}

/** A snapshot of the graphics state. Immutable once handed out; the same object while nothing changes. */
export interface GraphicsState {
  readonly ctm: Matrix;
  readonly clip: Clip;
  readonly fill: Paint;
  readonly stroke: Paint;
  /** OP, for stroking. */
  readonly strokeOverprint: boolean;
  /** op, for everything else. */
  readonly fillOverprint: boolean;
  /** OPM 0 or 1. */
  readonly overprintMode: number;
  /** Name of the blend mode that applies: the first one known of an array; Compatible reads as Normal. */
  readonly blendMode: string;
  readonly fillAlpha: number;
  readonly strokeAlpha: number;
  readonly alphaIsShape: boolean;
  readonly softMask: SoftMask | null;
  /** As written. `effectiveLineWidth(state)` gives it on the page. */
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
  /** Dictionaries of the ExtGState keys TR, TR2, HT, BG, BG2, UCR, UCR2 that were set; null when none ever was. */
  readonly device: ReadonlyMap<string, PdfValue> | null;
}

/** Optional content around an object: the same object while it does not change. */
export interface Layers {
  /** Object numbers of the OCGs and OCMDs around it, outermost first. */
  readonly objects: readonly number[];
  /** Names of the OCGs around it (an OCMD gives those of its OCGs). */
  readonly names: readonly string[];
  /** Visible in the default view configuration, and when printing (Usage/Print with AS, else as viewed). */
  readonly isVisible: boolean;
  readonly isPrinted: boolean;
}

/** Marked content around an object, innermost first. */
export interface MarkedContent {
  readonly tag: string;
  readonly properties: PdfDict | null;
  readonly mcid: number | null;
  readonly parent: MarkedContent | null;
}

// ------------------------------------------------------------------------------------------------- structure

export type RunKind = 'page' | 'form' | 'pattern' | 'type3' | 'appearance' | 'softmask';

/** One content stream being executed in one place of use. */
export interface Run {
  readonly kind: RunKind;
  /** 1-based page number. */
  readonly page: number;
  /** Object number of the stream; of the page object for a page. */
  readonly object: number;
  readonly dict: PdfDict;
  readonly parent: Run | null;
  /** Operator in the parent that made it run: Do, a show operator (Type 3), a painting operator (pattern), gs (mask). */
  readonly via: Place | null;
  /** Resource name by which it was called ('Fm12'), '' for a page; 'annot3' for the third annotation. */
  readonly name: string;
  /** CTM at its start, its own Matrix included. */
  readonly ctm: Matrix;
  readonly resources: PdfDict | null;
  /** Transparency group attributes, null when it is none. */
  readonly group: Group | null;
  /** Annotation whose appearance this is. */
  readonly annotation: Annotation | null;
  /** Nesting depth: 0 for the page. */
  readonly depth: number;
  /** True inside a soft mask's group: what is painted there shows only as transparency. */
  readonly isInSoftMask: boolean;
  /** True inside a tiling pattern's cell. */
  readonly isInPattern: boolean;
  /** Decoded bytes: `Place.start` and `end` point into these. */
  readonly bytes: Uint8Array;
  /** Streams the bytes were joined from (page contents), in order. */
  readonly segments: readonly { readonly object: number; readonly start: number; readonly end: number }[];
}

export interface Group {
  readonly isIsolated: boolean;
  readonly isKnockout: boolean;
  readonly space: ColorSpace | null;
}

export interface Annotation {
  readonly object: number;
  /** 0-based index in /Annots. */
  readonly index: number;
  readonly subtype: string;
  readonly rect: Rect;
  readonly flags: number;
  /** By its flags and OC: not Hidden, not NoView / Print set. */
  readonly isVisible: boolean;
  readonly isPrinted: boolean;
  readonly dict: PdfDict;
  /** Of the appearance at hand, from AP: `N`, or `N Yes` where there are states. */
  readonly way: readonly string[];
}

/** Where an operator stands. */
export interface Place {
  readonly run: Run;
  readonly op: string;
  /** Number of the operator in its run, from 0. */
  readonly index: number;
  /** Bytes [start, end) of operands and operator in `run.bytes`; an inline image spans BI to EI. */
  readonly start: number;
  readonly end: number;
}

// ---------------------------------------------------------------------------------------------------- events

export interface EventBase {
  readonly place: Place;
  readonly state: GraphicsState;
  readonly layers: Layers;
  readonly marks: MarkedContent | null;
}

export interface TextEvent extends EventBase {
  readonly kind: 'text';
  readonly font: Font | null;
  /** Font size on the page in points: Tf size × text matrix × CTM, measured upwards. Horizontal scaling apart. */
  readonly effectiveSize: number;
  /** Text rendering matrix at the first glyph (size, rise and scaling included, CTM included). */
  readonly matrix: Matrix;
  /** Number of glyphs shown. */
  readonly glyphCount: number;
  /** The codes shown, strings of a TJ joined. */
  readonly bytes: Uint8Array;
  /** Box of all glyphs, not clipped. */
  readonly bbox: Rect;
  readonly paints: 'fill' | 'stroke' | 'both' | 'none';
  /** The glyphs one by one, computed when first asked for. */
  readonly glyphs: () => readonly Glyph[];
  /** Their codes and origins on the page alone; nothing is kept of them. */
  readonly eachCode: (visit: (code: number, codeBytes: number, x: number, y: number) => void) => void;
}

export interface PathEvent extends EventBase {
  readonly kind: 'path';
  readonly paints: 'fill' | 'stroke' | 'both';
  readonly isEvenOdd: boolean;
  /** Box of the geometry on the page, without the line's width, not clipped. */
  readonly bbox: Rect;
  /** Box of what is painted: line width (miter joins not counted) included, clipped. Empty when all is clipped away. */
  readonly painted: Rect;
  /** Width on the page of a stroke (smallest direction), points; 0 for a fill only. */
  readonly lineWidth: number;
  /** A filled shape so thin that it is a line: its thickness on the page; null when it is none. */
  readonly thinFill: number | null;
  /** One axis-parallel rectangle on the page. */
  readonly isRect: boolean;
  /** Segments in default user space, computed when asked for: ['M',x,y] ['L',x,y] ['C',x1,y1,x2,y2,x,y] ['Z']. */
  readonly segments: () => readonly PathSegment[];
}
export type PathSegment =
  | readonly ['M', number, number]
  | readonly ['L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

export type ImageEncoding = 'DCT' | 'JPX' | 'JBIG2' | 'CCITT' | 'Flate' | 'LZW' | 'RunLength' | 'none';

/** An image as its dictionary (and for JPX its codestream) describes it. */
export interface ImageFacts {
  /** Object number; 0 for an inline image. */
  readonly object: number;
  readonly dict: PdfDict;
  readonly width: number;
  readonly height: number;
  readonly bitsPerComponent: number;
  readonly isStencil: boolean;
  /** null for a stencil, or a JPX that brings its own space. */
  readonly space: ColorSpace | null;
  readonly components: number;
  readonly encoding: ImageEncoding;
  readonly hasDecode: boolean;
  readonly decode: readonly number[] | null;
  /** SMask, explicit Mask image, colour-key Mask. */
  readonly softMask: ImageFacts | null;
  readonly mask: ImageFacts | null;
  readonly colorKey: readonly number[] | null;
  readonly interpolate: boolean;
  /** Length of the encoded data in bytes, as declared. */
  readonly length: number;
  /** The samples are those the image was made with; JPEG and truncated or irreversible JPEG 2000 only come near. */
  readonly isLossless: boolean;
}

/** That something paints, and with what; where, `PathEvent` tells. */
export interface PaintEvent extends EventBase {
  readonly paints: PathEvent['paints'];
}

/** An operator that names a resource of its run; no state with it, so that thousands of them cost little. */
export interface ResourceUse {
  readonly run: Run;
  readonly op: string;
  readonly name: string;
}

export interface ImageEvent extends EventBase {
  readonly kind: 'image';
  readonly image: ImageFacts;
  readonly isInline: boolean;
  /** Resource name, '' for an inline image. */
  readonly name: string;
  /** Box and corners of the unit square on the page, not clipped. */
  readonly bbox: Rect;
  readonly quad: Quad;
  /** Pixels per inch along the image's own axes, UserUnit applied. Infinity when it has no extent. */
  readonly ppi: { readonly x: number; readonly y: number };
  /** Inline images: the bytes between ID and EI. */
  readonly inlineData: Uint8Array | null;
}

export interface ShadingEvent extends EventBase {
  readonly kind: 'shading';
  readonly shading: Shading;
  /** What it covers: the clip, or its BBox. */
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
  /** MP and DP are points; BMC and BDC open. */
  readonly isPoint: boolean;
}

/** Any operator, before it takes effect, with its operands. */
export interface OperatorEvent extends EventBase {
  readonly operands: readonly PdfValue[];
}

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

/** Something that listens while a page is walked. Every method is optional; leave out what you do not need: it is not computed. */
export interface Reader {
  readonly pageBegin?: (run: Run) => void;
  readonly pageEnd?: (run: Run) => void;
  /** Before each operator, or each of `operators`. Costly: only for readers that need it. */
  readonly operator?: (event: OperatorEvent) => void;
  /** Names of the operators that `operator` is told of; all when left out. */
  readonly operators?: ReadonlySet<string>;
  readonly text?: (event: TextEvent) => void;
  readonly path?: (event: PathEvent) => void;
  /** Each painted path, without the work of measuring it. */
  readonly paint?: (event: PaintEvent) => void;
  /** Do, sh, gs, Tf, cs and CS, and scn and SCN with a pattern: before they take effect. */
  readonly resource?: (use: ResourceUse) => void;
  readonly image?: (event: ImageEvent) => void;
  readonly shading?: (event: ShadingEvent) => void;
  /** Forms, patterns, Type 3 glyphs, appearances, soft masks: `run.kind` tells; `run.group` marks a transparency group. */
  readonly runBegin?: (event: RunEvent) => void;
  readonly runEnd?: (event: RunEvent) => void;
  readonly mark?: (event: MarkEvent) => void;
  readonly syntax?: (event: SyntaxEvent) => void;
}
