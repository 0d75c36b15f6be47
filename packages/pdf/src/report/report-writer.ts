/**
 * Writes small documents of the product itself, such as reports: text in six languages, rectangles and pictures. With
 * MuPDF, because its built-in fonts cover Chinese and are subset when embedded.
 */
import type * as Mupdf from 'mupdf';
import { mupdf } from '../open/mupdf.ts';
import { numberText } from '../write/value-text.ts';

/** Red, green and blue, 0 to 1 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

export interface ReportText {
  x: number;
  /** Position of the baseline. */
  y: number;
  size: number;
  text: string;
  colour?: Rgb;
  isBold?: boolean;
}
export interface ReportBox {
  x: number;
  y: number;
  width: number;
  height: number;
  fill?: Rgb;
  stroke?: Rgb;
  lineWidth?: number;
}

/** One page of a report. Lengths are points, the origin is at the lower left. */
export interface ReportPage {
  text: (options: ReportText) => void;
  box: (options: ReportBox) => void;
  /** Draws the bytes of a JPEG or PNG file. */
  picture: (bytes: Uint8Array, place: { x: number; y: number; width: number; height: number }) => void;
}

/** A file inside a PDF. */
export interface Attachment {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** A report in the making. */
export interface ReportWriter {
  page: (width: number, height: number) => ReportPage;
  /** Pixels of a JPEG or PNG file; null for bytes that are no such picture. */
  sizeOf: (bytes: Uint8Array) => { width: number; height: number } | null;
  /** Width of a line of text in points. */
  width: (text: string, size: number, isBold?: boolean) => number;
  /** Finishes the document and returns its bytes. Fonts are embedded with the used glyphs only. */
  finish: (info: { title: string; locale: string; attachment?: Attachment }) => Uint8Array;
}

/**
 * Built-in fonts of MuPDF, tried in this order for each character: Nimbus Sans (URW font exception) and Droid Sans
 * Fallback (Apache 2.0).
 */
const regularFonts = ['Helvetica', 'zh-Hans'];
const boldFonts = ['Helvetica-Bold', 'zh-Hans'];

interface LoadedFont {
  font: Mupdf.Font;
  resource: string;
  object: Mupdf.PDFObject;
}

interface Glyph {
  loaded: LoadedFont;
  glyph: number;
  /** Drawn with its outline, because its font has no bold one. */
  isThickened: boolean;
}

/** The fonts of one document, each loaded when a character first needs it. */
function createGlyphs(document: Mupdf.PDFDocument) {
  const fonts = new Map<string, LoadedFont>();
  const load = (name: string): LoadedFont => {
    const known = fonts.get(name);
    if (known) return known;
    const font = new (mupdf().Font)(name);
    const loaded = { font, resource: `F${fonts.size + 1}`, object: document.addFont(font) };
    fonts.set(name, loaded);
    return loaded;
  };
  return {
    of(character: string, isBold: boolean): Glyph {
      const code = character.codePointAt(0) ?? 0x20;
      for (const name of isBold ? boldFonts : regularFonts) {
        const loaded = load(name);
        const glyph = loaded.font.encodeCharacter(code);
        if (glyph > 0) return { loaded, glyph, isThickened: isBold && regularFonts.includes(name) };
      }
      // A character that no font has is shown as a question mark.
      const loaded = load(regularFonts[0] as string);
      return { loaded, glyph: loaded.font.encodeCharacter(0x3f), isThickened: false };
    },
    close() {
      for (const { font } of fonts.values()) font.destroy();
    },
  };
}
type Glyphs = ReturnType<typeof createGlyphs>;

/** A page whose content is still written. */
interface OpenPage {
  width: number;
  height: number;
  content: string[];
  resources: Mupdf.PDFObject;
}

function reportPage(document: Mupdf.PDFDocument, glyphs: Glyphs, { content, resources }: OpenPage): ReportPage {
  const category = (name: string): Mupdf.PDFObject => {
    const existing = resources.get(name);
    if (existing.isDictionary()) return existing;
    resources.put(name, document.newDictionary());
    return resources.get(name);
  };
  return {
    text({ x, y, size, text, colour = [0, 0, 0], isBold = false }) {
      const parts = [`BT ${colour.map(numberText).join(' ')} rg 1 0 0 1 ${numberText(x)} ${numberText(y)} Tm`];
      let current = '';
      let codes = '';
      const flush = () => {
        if (codes) parts.push(`<${codes}> Tj`);
        codes = '';
      };
      let isThick = false;
      for (const character of text) {
        const { loaded, glyph, isThickened } = glyphs.of(character, isBold);
        if (isThickened !== isThick) {
          flush();
          parts.push(isThickened ? `2 Tr ${colour.map(numberText).join(' ')} RG ${numberText(size / 30)} w` : '0 Tr');
          isThick = isThickened;
        }
        if (loaded.resource !== current) {
          flush();
          category('Font').put(loaded.resource, loaded.object);
          parts.push(`/${loaded.resource} ${numberText(size)} Tf`);
          current = loaded.resource;
        }
        codes += glyph.toString(16).padStart(4, '0');
      }
      flush();
      if (isThick) parts.push('0 Tr');
      content.push(`${parts.join(' ')} ET`);
    },
    box({ x, y, width: w, height: h, fill, stroke, lineWidth = 0.75 }) {
      const paint = fill && stroke ? 'B' : fill ? 'f' : 'S';
      const colours = `${fill ? `${fill.map(numberText).join(' ')} rg ` : ''}${stroke ? `${stroke.map(numberText).join(' ')} RG ${numberText(lineWidth)} w ` : ''}`;
      content.push(`${colours}${[x, y, w, h].map(numberText).join(' ')} re ${paint}`);
    },
    picture(bytes, place) {
      const image = new (mupdf().Image)(bytes);
      const name = `P${content.length}`;
      category('XObject').put(name, document.addImage(image));
      image.destroy();
      content.push(
        `q ${[place.width, 0, 0, place.height, place.x, place.y].map(numberText).join(' ')} cm /${name} Do Q`,
      );
    },
  };
}

/** Starts a report. */
export function createReportWriter(): ReportWriter {
  const document = new (mupdf().PDFDocument)();
  const glyphs = createGlyphs(document);
  const open: OpenPage[] = [];
  return {
    sizeOf(bytes) {
      try {
        const image = new (mupdf().Image)(bytes);
        const size = { width: image.getWidth(), height: image.getHeight() };
        image.destroy();
        return size.width > 0 && size.height > 0 ? size : null;
      } catch {
        return null;
      }
    },
    width(text, size, isBold = false) {
      const advances = [...text].map((character) => {
        const { loaded, glyph } = glyphs.of(character, isBold);
        return loaded.font.advanceGlyph(glyph);
      });
      return advances.reduce((sum, advance) => sum + advance, 0) * size;
    },
    page(width, height) {
      const page: OpenPage = { width, height, content: [], resources: document.newDictionary() };
      open.push(page);
      return reportPage(document, glyphs, page);
    },
    finish({ title, locale, attachment }) {
      for (const { width, height, content, resources } of open) {
        document.insertPage(-1, document.addPage([0, 0, width, height], 0, resources, content.join('\n')));
      }
      document.subsetFonts();
      if (attachment) {
        const { name, mediaType, bytes: content } = attachment;
        const now = new Date();
        document.insertEmbeddedFile(name, document.addEmbeddedFile(name, mediaType, content, now, now, false));
      }
      document.setMetaData('info:Title', title);
      document.getTrailer().get('Root').put('Lang', document.newString(locale));
      const buffer = document.saveToBuffer('compress,garbage=compact');
      // A copy, because the WebAssembly memory is freed.
      const bytes = buffer.asUint8Array().slice();
      buffer.destroy();
      glyphs.close();
      document.destroy();
      return bytes;
    },
  };
}

/** The content of a file inside a PDF; null when there is none of that name. */
export function readAttachment(pdf: Uint8Array, name: string): Uint8Array | null {
  const document = mupdf().Document.openDocument(pdf, 'application/pdf').asPDF();
  if (!document) return null;
  try {
    const files = document.getEmbeddedFiles();
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    const content = file && document.getEmbeddedFileContents(file);
    if (!content) return null;
    const bytes = content.asUint8Array().slice();
    content.destroy();
    return bytes;
  } finally {
    document.destroy();
  }
}
