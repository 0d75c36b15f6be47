/** A print job in the making: pages of a product with a background, a headline, text and free places for objects. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Box } from '@pdf2press/contract';
import { houseFont } from '@pdf2press/pdf/testing';
import { mm } from '@pdf2press/settings';
import { between, isDrawn, num, pick, type Random } from '../random/chance.ts';
import { DrawnFile, type Piece, resourcesOf, type Use } from '../random/file.ts';
import { grown, unmoved } from '../random/matrix.ts';
import { type Nesting, nest, type Thing } from '../random/nest.ts';
import { fontOf } from '../random/things.ts';

interface Limits {
  fail: number;
  warn: number;
}
/** Resolutions in ppi, sizes of text and lines in points, distances in millimetres. */
export interface Needs {
  /** Up to `fail` a picture cannot be printed, up to `warn` it is soft, from `fine` nobody says anything. */
  ppi: Limits & { fine: number };
  text: number;
  white: number;
  inks: number;
  line: Limits;
  safety: Limits;
  /** At the spine of a bound product. */
  spine?: Limits;
  /** Pages come in multiples of this. */
  multiple?: number;
  /** How far inside the trim the cut line is; none where the product is cut along its trim. */
  cut?: number;
}

/** Lengths of a product in millimetres. */
export interface Layout {
  width: number;
  height: number;
  bleed: number;
  /** Objects stay so far from the trim. */
  inset: number;
  /** Side of a free place for one object, in points. */
  cell?: number;
}

export const sides = ['left', 'bottom', 'right', 'top'] as const;
export type Side = (typeof sides)[number];

/** Paper around the bleed for crop marks and notes to the printer. */
const slug = mm(12);

export interface JobPage {
  trim: Box;
  bleedBox: Box | null;
  media: Box;
  /** What lies below everything else. */
  background: Piece | null;
  pieces: Piece[];
  cells: Box[];
  /** Further entries of the page, and boxes instead of those of the layout. */
  extra: string;
  isEmpty: boolean;
  /** A fault has taken the page as a whole: nothing else is put on it. */
  isTaken: boolean;
}

const lowercase = [556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278];
const widths: Readonly<Record<string, number>> = Object.fromEntries([
  [' ', 278],
  ...[...lowercase, 556, 500, 722, 500, 500, 500].map((width, at) => [String.fromCharCode(97 + at), width] as const),
]);
const words = 'the offer of spring comes with fresh paper and many colours for all who print with care'.split(' ');

/** Letters of Liberation Sans, embedded whole. */
function houseType(file: DrawnFile): Use {
  const program = houseFont({ family: 'House Sans', postScriptName: 'HouseSans' });
  const data = file.add({ dict: `/Length1 ${program.length}`, data: program });
  const descriptor = file.add(
    `<< /Type /FontDescriptor /FontName /HouseSans /Flags 32 /FontBBox [-203 -303 1050 910] /Ascent 905 /Descent -212 /CapHeight 729 /ItalicAngle 0 /StemV 80 /FontFile2 ${data} >>`,
  );
  const all = Array.from({ length: 91 }, (_, at) => widths[String.fromCharCode(32 + at)] ?? 0);
  return file.use(
    'Font',
    `<< /Type /Font /Subtype /TrueType /BaseFont /HouseSans /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 122 /Widths [${all.join(' ')}] /FontDescriptor ${descriptor} >>`,
  );
}

/** As many words as fit. */
function lineOf(random: Random, size: number, width: number): string {
  const lengthOf = (text: string) => ([...text].reduce((sum, letter) => sum + (widths[letter] ?? 0), 0) * size) / 1000;
  let text = pick(random, words);
  for (;;) {
    const longer = `${text} ${pick(random, words)}`;
    if (lengthOf(longer) > width) return lengthOf(text) > width ? '' : text;
    text = longer;
  }
}

export const rectangle = ([x0, y0, x1, y1]: Box): string => `${[x0, y0, x1 - x0, y1 - y0].map(num).join(' ')} re`;

export class Job {
  readonly file = new DrawnFile();
  readonly pages: JobPage[] = [];
  readonly layout: Layout;
  /** Whether the file conforms to PDF/X-4: the standard is about all that it has, also where nothing prints. */
  isStandard = false;
  /** Values for the workflow variables of the profile. */
  variables: Record<string, string> = {};
  /** Letters that are squares, and the width that a line of them may have in a cell. */
  readonly letters = fontOf(this.file);
  get room(): number {
    return (this.layout.cell ?? 62) - 6;
  }
  readonly #type = houseType(this.file);
  /** Black of text and lines overprints, as layout programs write it. */
  readonly overprint = this.file.use('ExtGState', '<< /OP true /op true /OPM 1 >>');

  constructor(layout: Layout) {
    this.layout = layout;
  }

  /** A page with nothing but its boxes and free cells; sizes in points. */
  page(size?: { width: number; height: number }): JobPage {
    const { layout } = this;
    const { cell = 62 } = layout;
    const [width, height] = [size?.width ?? mm(layout.width), size?.height ?? mm(layout.height)];
    const bleed = mm(layout.bleed);
    const corner = bleed + slug;
    const trim: Box = [corner, corner, corner + width, corner + height];
    const safe = grown(trim, -mm(layout.inset));
    const [across, up] = [Math.floor((safe[2] - safe[0]) / cell), Math.floor((safe[3] - safe[1]) / cell)];
    const cells = Array.from({ length: across * up }, (_, at): Box => {
      const [x, y] = [safe[0] + (at % across) * cell, safe[1] + Math.floor(at / across) * cell];
      return [x, y, x + cell, y + cell];
    });
    const made: JobPage = {
      trim,
      bleedBox: bleed > 0 ? grown(trim, bleed) : null,
      media: grown(trim, corner),
      background: null,
      pieces: [],
      cells,
      extra: '',
      isEmpty: false,
      isTaken: false,
    };
    this.pages.push(made);
    return made;
  }

  /** A tint over all of the page and its bleed, a panel or nothing; a headline and some lines of text in the last cells. */
  dress(page: JobPage, random: Random, textSize: number): void {
    const { trim } = page;
    const { cell = 62 } = this.layout;
    const ground = pick(random, ['paper', 'tint', 'panel']);
    const reach = grown(trim, mm(this.layout.bleed));
    if (ground === 'tint') page.background = { content: `0.12 0.06 0 0 k ${rectangle(reach)} f`, uses: [] };
    if (ground === 'panel')
      page.background = {
        content: `0 0.1 0.2 0 k ${rectangle([reach[0], reach[1], reach[2], trim[3] - 40])} f`,
        uses: [],
      };
    const across = Math.max(1, page.cells.filter(({ 1: y }) => y === page.cells[0]?.[1]).length);
    if (page.cells.length <= 2 * across) return;
    const row = page.cells.splice(page.cells.length - across, across);
    const [x, y] = [row[0]?.[0] ?? 0, row[0]?.[1] ?? 0];
    const width = (row.at(-1)?.[2] ?? 0) - x;
    const size = Math.max(textSize, between(random, 14, 22));
    this.put(page, this.words(x, y + cell - size, size, lineOf(random, size, width), '0 0.9 0.7 0.1 k'));
    const leading = textSize * 1.25;
    for (let line = 0; size + (line + 2) * leading < cell; line += 1)
      this.put(
        page,
        this.words(x, y + cell - size - (line + 1.5) * leading, textSize, lineOf(random, textSize, width)),
      );
  }

  /** Words in the house's type; black overprints. */
  words(x: number, y: number, size: number, text: string, colour = '0 0 0 1 k'): Piece {
    return {
      content: `q /${this.overprint.name} gs BT ${colour} /${this.#type.name} ${num(size)} Tf ${num(x)} ${num(y)} Td (${text}) Tj ET Q`,
      uses: [this.#type, this.overprint],
    };
  }

  put(page: JobPage, piece: Piece): void {
    page.pieces.push(piece);
  }

  /** Puts an object around a point, nested at random. */
  place(
    page: JobPage,
    random: Random,
    thing: Thing,
    middle: readonly [number, number],
    nesting: Partial<Nesting> = {},
  ): string {
    const nested = nest(this.file, random, thing, {
      isUpright: true,
      neverHidden: true,
      ...nesting,
      page: unmoved,
      middle,
    });
    this.put(page, nested);
    return nested.path;
  }

  /** A page that is free for more, and for which the condition holds. */
  pick(random: Random, holds: (page: JobPage) => boolean = () => true): JobPage | null {
    const free = this.pages.filter((page) => !page.isEmpty && !page.isTaken && holds(page));
    return free.length > 0 ? pick(random, free) : null;
  }

  /** A free cell of a page that has one, which is then taken. */
  cell(random: Random): { page: JobPage; at: Box; middle: readonly [number, number] } | null {
    const chosen = this.pick(random, ({ cells }) => cells.length > 0);
    if (!chosen) return null;
    const [at] = chosen.cells.splice(Math.floor(random() * chosen.cells.length), 1);
    return at ? { page: chosen, at, middle: [(at[0] + at[2]) / 2, (at[1] + at[3]) / 2] } : null;
  }

  /** Crop marks and a note beside the bleed; no rule is about what is cut off. */
  marks(page: JobPage, random: Random): void {
    // What is beside the trim of a page whose trim is wrong may be inside it.
    if (isDrawn(random, 0.5) || page.isEmpty || page.extra.includes('TrimBox')) return;
    const [x0, y0, x1, y1] = page.trim;
    const off = Math.max(mm(this.layout.bleed), mm(3)) + 3;
    const lines = [x0, x1]
      .flatMap((x) => [`${x} ${y0 - off} m ${x} ${y0 - off - 14} l`, `${x} ${y1 + off} m ${x} ${y1 + off + 14} l`])
      .concat(
        [y0, y1].flatMap((y) => [
          `${x0 - off} ${y} m ${x0 - off - 14} ${y} l`,
          `${x1 + off} ${y} m ${x1 + off + 14} ${y} l`,
        ]),
      );
    this.put(page, { content: `q 0.25 w 1 1 1 1 K ${lines.join(' ')} S Q`, uses: [] });
    this.put(
      page,
      this.words(x0 + 20, y1 + off + 4, 6, 'the offer of spring', this.isStandard ? '1 1 0 0 k' : '1 0 0 rg'),
    );
  }

  bytes(): Uint8Array {
    const list = (box: Box) => `[${box.map(num).join(' ')}]`;
    for (const page of this.pages) {
      const pieces = page.isEmpty ? [] : [...(page.background ? [page.background] : []), ...page.pieces];
      const boxes = /\/TrimBox/.test(page.extra)
        ? ''
        : `/TrimBox ${list(page.trim)} ${page.bleedBox ? `/BleedBox ${list(page.bleedBox)}` : ''}`;
      this.file.pages.push({
        content: pieces.map(({ content }) => content).join('\n'),
        mediaBox: page.media,
        resources: resourcesOf(pieces.flatMap(({ uses }) => uses)),
        extra: `${boxes} /Group << /S /Transparency /CS /DeviceCMYK >> ${page.extra}`,
      });
    }
    return this.file.bytes();
  }
}

/** What a file says of itself that conforms to PDF/X-4, with the profile of a press. */
export function conform(job: Job): void {
  const { file } = job;
  job.isStandard = true;
  const profile = readFileSync(path.join(import.meta.dirname, '../../../../pdf/profiles/fogra39l-coated.icc'));
  const data = file.add({ dict: '/N 4', data: profile });
  const day = '2026-01-05T10:00:00Z';
  const xmp = `<?xpacket begin="\u00ef\u00bb\u00bf" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Offer</rdf:li></rdf:Alt></dc:title><xmp:CreateDate>${day}</xmp:CreateDate><xmp:ModifyDate>${day}</xmp:ModifyDate><xmp:MetadataDate>${day}</xmp:MetadataDate><xmpMM:DocumentID>uuid:1</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass><pdf:Trapped>False</pdf:Trapped><pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
  const metadata = file.add({ dict: '/Type /Metadata /Subtype /XML', data: xmp });
  const info = file.add(
    '<< /Title (Offer) /CreationDate (D:20260105100000Z) /ModDate (D:20260105100000Z) /Trapped /False >>',
  );
  file.version = '1.6';
  file.trailer += ` /Info ${info} /ID [<0123456789abcdef0123456789abcdef> <0123456789abcdef0123456789abcdef>]`;
  file.catalog += ` /Metadata ${metadata} /OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (FOGRA39) /RegistryName (http://www.color.org) /DestOutputProfile ${data} >>]`;
}
