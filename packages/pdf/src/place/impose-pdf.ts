import type { Cell, LayoutPage, Plan, PlanSheet, Rect, Side } from '@pdf2press/contract';
import type { PdfFile } from '../open/pdf-file.ts';
import { createCopier } from '../write/copy-objects.ts';
import { createPdfWriter, type PdfWriter, writeContent } from '../write/pdf-writer.ts';
import { numberText } from '../write/value-text.ts';
import { infoText, optionalContent, outputIntents, type SourceFile } from './document-parts.ts';
import { createPageForms, type PageForms } from './page-form.ts';
import { concat, layoutPage, type Matrix, rotationMatrix } from './page-space.ts';
import { shapePath } from './shape-clip.ts';
import { num } from './shape-content.ts';
import { createSheetMarks, type MarkStrip, type SheetMarks } from './sheet-marks.ts';

/** Input of `imposePdf`. */
export interface ImposeOptions {
  /** Open source files; pages are numbered consecutively through all of them. Empty for a plan that has only marks. */
  files: readonly PdfFile[];
  plan: Plan;
  path: string;
  producer: string;
  /** The file for `strip` shapes of the plan; they show the TrimBox of its first page. */
  strip?: PdfFile;
  /** Limit of bytes that may be written. */
  maxBytes?: number;
  onSheet?: (done: number, total: number) => void;
}

/**
 * Writes a plan as PDF. Pages become form XObjects; identical pages are written once. Stream data is copied from disk
 * to disk, so memory use does not depend on the file size. Spot inks, overprint, layers and output intents are
 * preserved. The MediaBox of a sheet is the sheet, its TrimBox the area of its cells.
 * @returns the size of the file
 * @throws FileFaultError PDF_LIMIT_OUTPUT, PDF_DAMAGED; RangeError for a page number beyond the sources. `path` does
 *   not exist then
 */
export function imposePdf({ files, plan, path, producer, strip, maxBytes, onSheet }: ImposeOptions): number {
  const writer = createPdfWriter({ path, version: versionFor(files), ...(maxBytes === undefined ? {} : { maxBytes }) });
  const sourceOf = (file: PdfFile) => ({ file, copier: createCopier(file, writer, { skipsPages: true }) });
  const sources = files.map(sourceOf);
  const bar = strip && sourceOf(strip);
  const all = bar ? [...sources, bar] : sources;
  try {
    // If all pages have the same blending colour space, it is used for the transparency group of the sheets, and the
    // pages need no groups of their own. A group inside a group makes renderers blend where nothing is transparent, and
    // RGB black would be converted to four inks.
    let isShared: boolean | null = null;
    const isGroupOfSheet = (): boolean => {
      isShared ??= new Set([...pagesOf(plan)].map(pages.groupSpaceOf)).size === 1;
      return isShared;
    };
    const pages = numbering(
      sources.map(({ file, copier }) => ({ file, forms: createPageForms(file, writer, copier, isGroupOfSheet) })),
    );
    const sheets: SheetWriting = {
      writer,
      plan,
      ...pages,
      marks: createSheetMarks(writer, bar && stripOf(bar, writer)),
      parent: writer.reserve(),
      known: new Map(),
    };
    const kids = plan.sheets.flatMap((sheet, index) => {
      const pages = writeSheet(sheet, sheets);
      onSheet?.(index + 1, plan.sheets.length);
      return pages;
    });
    writer.object(
      sheets.parent,
      `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`,
    );
    const root = writer.reserve();
    const parts = outputIntents(sources) + optionalContent(all, sheets.marks.layers());
    writer.object(root, `<</Type/Catalog/Pages ${sheets.parent} 0 R${parts}>>`);
    const info = writer.reserve();
    writer.object(info, infoText(sources[0], producer));
    for (const { copier } of all) copier.drain();
    return writer.finish({ root, info });
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** The first page of a strip file for marks; its form is created on first use. */
function stripOf({ file, copier }: SourceFile, writer: PdfWriter): MarkStrip | undefined {
  const [page] = file.pages;
  if (!page) return undefined;
  const forms = createPageForms(file, writer, copier);
  return { form: () => forms.formOf(1), box: layoutPage(page).trim };
}

/**
 * Layers and object streams need PDF 1.5, transparency attributes 1.6; otherwise the highest version of the sources.
 */
function versionFor(files: readonly PdfFile[]): string {
  const versions = files.map((file) => Number(file.version)).filter((version) => version >= 1 && version <= 2);
  return Math.max(1.6, ...versions).toFixed(1);
}

/** All pages that are placed somewhere. */
function pagesOf(plan: Plan): Set<number> {
  const pages = new Set<number>();
  for (const { front, back } of plan.sheets)
    for (const side of back ? [front, back] : [front]) for (const { page } of side.cells) if (page > 0) pages.add(page);
  return pages;
}

/** Finds a page of the whole job in its file; the result is cached. */
function numbering(
  sources: { file: PdfFile; forms: PageForms }[],
): Pick<SheetWriting, 'formOf' | 'groupSpaceOf' | 'pageOf'> {
  const placed = new Map<number, { forms: PageForms; local: number; page: LayoutPage; space: string }>();
  const known = (page: number) => {
    const found = placed.get(page);
    if (found) return found;
    let local = page;
    for (const { file, forms } of sources) {
      const facts = file.pages[local - 1];
      if (facts) {
        const made = { forms, local, page: layoutPage(facts), space: forms.groupSpaceOf(local) };
        placed.set(page, made);
        return made;
      }
      local -= file.pageCount;
    }
    throw new RangeError(`page ${page}`);
  };
  return {
    formOf: (page) => known(page).forms.formOf(known(page).local),
    groupSpaceOf: (page) => known(page).space,
    pageOf: (page) => known(page).page,
  };
}

interface SheetWriting {
  writer: PdfWriter;
  plan: Plan;
  formOf: (page: number) => number;
  groupSpaceOf: (page: number) => string;
  pageOf: (page: number) => LayoutPage;
  marks: SheetMarks;
  parent: number;
  /** Object numbers of content streams by their operators, so that equal sides share one. */
  known: Map<string, number>;
}

function writeSheet(sheet: PlanSheet, writing: SheetWriting): number[] {
  const sides = sheet.back ? [sheet.front, sheet.back] : [sheet.front];
  if (sheet.firstSide === 'Back') sides.reverse();
  return sides.map((side) => writeSide(sheet, side, writing));
}

function writeSide(sheet: PlanSheet, side: Side, writing: SheetWriting): number {
  const { writer, plan } = writing;
  const forms = new Map<number, string>();
  const layers = new Map<number, string>();
  let content = '';
  for (const cell of side.cells) {
    if (cell.page === 0) continue;
    const form = writing.formOf(cell.page);
    const name = forms.get(form) ?? `P${forms.size}`;
    forms.set(form, name);
    content += cellContent(cell, boxOf(writing.pageOf(cell.page), plan.cellBox), name);
  }
  for (const { form, layer } of writing.marks.formsOf(side.marks)) {
    const name = forms.get(form) ?? `P${forms.size}`;
    forms.set(form, name);
    if (layer === 0) {
      content += `/${name} Do\n`;
      continue;
    }
    const layerName = layers.get(layer) ?? `L${layers.size}`;
    layers.set(layer, layerName);
    content += `/OC /${layerName} BDC /${name} Do EMC\n`;
  }
  const resources = (key: string, names: Map<number, string>) =>
    names.size === 0 ? '' : `/${key}<<${[...names].map(([object, name]) => `/${name} ${object} 0 R`).join('')}>>`;
  const page = writer.reserve();
  const box = (rect: Rect) =>
    `[${num(rect.x)} ${num(rect.y)} ${num(rect.x + rect.width)} ${num(rect.y + rect.height)}]`;
  writer.object(
    page,
    `<</Type/Page/Parent ${writing.parent} 0 R/MediaBox[0 0 ${num(sheet.width)} ${num(sheet.height)}]` +
      `/BleedBox${box(inkedArea(sheet, side))}/TrimBox${box(cellsArea(side) ?? sheet.block)}` +
      `/Resources<<${resources('XObject', forms)}${resources('Properties', layers)}>>/Contents ${contentOf(content, writing)} 0 R${groupOf(side, writing)}>>`,
  );
  return page;
}

/**
 * The transparency group of a side. If all of its pages use one colour space, the sheet has a group with it and blends
 * like the pages did. Otherwise each page has its own group and the sheet has none.
 */
function groupOf(side: Side, writing: SheetWriting): string {
  const pages = new Set(side.cells.flatMap((cell) => (cell.page > 0 ? [cell.page] : [])));
  const spaces = new Set([...pages].map(writing.groupSpaceOf));
  const [space] = spaces;
  return spaces.size === 1 && space ? `/Group<</S/Transparency/CS ${space}>>` : '';
}

function contentOf(content: string, { writer, known }: SheetWriting): number {
  const written = known.get(content);
  if (written !== undefined) return written;
  const stream = writer.reserve();
  writeContent(writer, stream, '', content);
  // Long content is rarely repeated, so it is not kept.
  if (content.length < 100_000) known.set(content, stream);
  return stream;
}

const boxOf = (page: LayoutPage, box: Plan['cellBox']): Rect =>
  box === 'Trim' ? page.trim : box === 'Bleed' ? page.bleed : page.media;

/** The turn of bottling about its corner. */
function bottleMatrix({ angle, x, y }: NonNullable<Cell['bottle']>): Matrix {
  const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
  return [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos];
}

/** Places the centre of the box on the centre of the cell: scaled, rotated, turned by bottling, then moved. */
export function cellMatrix(cell: Cell, box: Rect): Matrix {
  const toOrigin: Matrix = [1, 0, 0, 1, -(box.x + box.width / 2), -(box.y + box.height / 2)];
  const scaled: Matrix = [cell.scale.x, 0, 0, cell.scale.y, 0, 0];
  const toCell: Matrix = [1, 0, 0, 1, cell.x + cell.width / 2, cell.y + cell.height / 2];
  const upright = concat(concat(concat(toOrigin, scaled), rotationMatrix(cell.rotation)), toCell);
  return concat(cell.bottle ? concat(upright, bottleMatrix(cell.bottle)) : upright, [
    1,
    0,
    0,
    1,
    cell.shift.x,
    cell.shift.y,
  ]);
}

/** The outline of what a bottled cell may print, turned with it. */
function cornersPath(bottle: NonNullable<Cell['bottle']>): string {
  const { x, y, width, height } = bottle.clip;
  const [a, b, c, d, e, f] = bottleMatrix(bottle);
  const at = (px: number, py: number) => `${num(a * px + c * py + e)} ${num(b * px + d * py + f)}`;
  return `${at(x, y)} m ${at(x + width, y)} l ${at(x + width, y + height)} l ${at(x, y + height)} l h `;
}

function cellContent(cell: Cell, box: Rect, name: string): string {
  const { clip } = cell;
  const [a, b, c, d, e, f] = cellMatrix(cell, box);
  const fine = (value: number) => numberText(Math.round(value * 1e8) / 1e8);
  // An outline that encloses no area does not clip.
  const enclosing = cell.shape ? shapePath(cell.shape) : '';
  const shape = enclosing && `${enclosing}W n `;
  const turned = cell.bottle ? `${cornersPath(cell.bottle)}W n ` : '';
  return (
    `q ${num(clip.x)} ${num(clip.y)} ${num(clip.width)} ${num(clip.height)} re W n ${turned}${shape}` +
    `${fine(a)} ${fine(b)} ${fine(c)} ${fine(d)} ${num(e)} ${num(f)} cm /${name} Do Q\n`
  );
}

/** Bounding box of all cells. */
function cellsArea(side: Side): Rect | null {
  return around(side.cells);
}

/** Bounding box of all cells with bleed, limited to the sheet. */
function inkedArea(sheet: PlanSheet, side: Side): Rect {
  const area = around(side.cells.map((cell) => cell.clip)) ?? sheet.block;
  const [x, y] = [Math.max(0, area.x), Math.max(0, area.y)];
  return {
    x,
    y,
    width: Math.min(sheet.width, area.x + area.width) - x,
    height: Math.min(sheet.height, area.y + area.height) - y,
  };
}

function around(rects: readonly Rect[]): Rect | null {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of rects) {
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x + width);
    y1 = Math.max(y1, y + height);
  }
  return rects.length === 0 ? null : { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}
