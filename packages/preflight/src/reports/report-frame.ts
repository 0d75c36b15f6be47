/** What documents of the house have in common: letterhead, a panel with the outcome, facts beside a picture, page edges. */
import type { ReportPage, Rgb } from '@pdf2press/pdf';
import { type DrawnPage, fitted, placePicture } from './page-picture.ts';
import {
  type Block,
  blockOf,
  contentWidth,
  cut,
  type Flow,
  grey,
  hairline,
  paper,
  writeBlocks,
} from './report-layout.ts';
import { houseColour, type ReportHouse, type Say, tint } from './report-options.ts';

const logoRoom = { width: 170, height: 40 };
const pictureRoom = { width: 250, height: 300 };

const heightOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { height }) => sum + height, 0);

/** The head of the first page: the house, and what the document is. */
export function writeLetterhead(flow: Flow, house: ReportHouse | null, title: string): void {
  const { page, x, y } = flow.reserve(logoRoom.height + 18);
  const middle = y - logoRoom.height / 2;
  if (!house) {
    page.text({
      x,
      y: middle - 6,
      size: 17,
      text: title,
      colour: houseColour(house),
      isBold: true,
    });
    return;
  }
  const wide = flow.writer.width(title, 11);
  page.text({
    x: x + contentWidth - wide,
    y: middle - 4,
    size: 11,
    text: title,
    colour: grey,
  });
  if (house.logo && writeLogo(page, flow, house.logo, { x, middle })) return;
  const text = cut(flow.writer, house.name, 17, contentWidth - wide - 40);
  page.text({
    x,
    y: middle - 6,
    size: 17,
    text,
    colour: houseColour(house),
    isBold: true,
  });
}

/** False for a picture that cannot be read: the name stands there then. */
function writeLogo(
  page: ReportPage,
  { writer }: Flow,
  logo: Uint8Array,
  { x, middle }: { x: number; middle: number },
): boolean {
  const size = writer.sizeOf(logo);
  if (!size) return false;
  const scale = Math.min(logoRoom.width / size.width, logoRoom.height / size.height);
  const [width, height] = [size.width * scale, size.height * scale];
  page.picture(logo, { x, y: middle - height / 2, width, height });
  return true;
}

/** A panel in the colour of the outcome. */
export function writePanel(
  flow: Flow,
  { colour, title, text }: { colour: Rgb; title: string; text: readonly string[] },
): void {
  const inside = contentWidth - 44;
  const blocks = [
    blockOf(flow.writer, title, { size: 17, isBold: true, colour, width: inside, after: 4 }),
    ...text.map((line) => blockOf(flow.writer, line, { size: 12, width: inside })),
  ];
  const height = heightOf(blocks) + 30;
  const { page, x, y } = flow.reserve(height);
  page.box({ x, y: y - height, width: contentWidth, height, fill: tint(colour, 0.08) });
  page.box({ x, y: y - height, width: 6, height, fill: colour });
  writeBlocks(page, blocks, x + 24, y - 14);
  flow.gap(18);
}

/** Facts by their names, with a picture of a page beside them. Facts without a value are left out. */
export function writeFacts(
  flow: Flow,
  facts: readonly (readonly [name: string, value: string])[],
  drawn: DrawnPage | null,
): void {
  const size = drawn ? fitted(drawn, pictureRoom) : { width: 0, height: 0 };
  const across = contentWidth - (drawn ? size.width + 24 : 0);
  const blocks = facts
    .filter(([, value]) => value)
    .flatMap(([name, value]) => [
      blockOf(flow.writer, name, { size: 8, colour: grey, width: across }),
      blockOf(flow.writer, value, { size: value.length === 64 ? 7 : 10.5, width: across, after: 8 }),
    ]);
  const height = Math.max(size.height, heightOf(blocks));
  const { page, x, y } = flow.reserve(height);
  writeBlocks(page, blocks, x, y);
  if (drawn) placePicture(page, drawn, { x: x + contentWidth - size.width, top: y, ...size });
  flow.gap(16);
}

/** Head and foot of every page, written when their number is known. */
export function writeEdges(
  flow: Flow,
  { house, about }: { house: ReportHouse | null | undefined; about: string },
  say: Say,
): void {
  const colour = houseColour(house);
  const y = 30;
  for (const [at, page] of flow.pages.entries()) {
    page.box({ x: 0, y: paper.height - 9, width: paper.width, height: 9, fill: colour });
    page.box({ x: paper.margin, y: y + 12, width: contentWidth, height: 0.5, fill: hairline });
    const number = say('pageOf', { page: at + 1, pages: flow.pages.length });
    const wide = flow.writer.width(number, 8);
    page.text({ x: paper.margin + contentWidth - wide, y, size: 8, text: number, colour: grey });
    const named = [house?.name, about].filter(Boolean).join(' · ');
    page.text({
      x: paper.margin,
      y,
      size: 8,
      text: cut(flow.writer, named, 8, contentWidth - wide - 20),
      colour: grey,
    });
  }
}

/** The heading of a section, not left alone at the foot of a page: `below` points are wanted under it. */
export function writeHeading(flow: Flow, text: string, house: ReportHouse | null | undefined, below: number): void {
  flow.keep(40 + below);
  const { page, x, y } = flow.reserve(34);
  page.text({ x, y: y - 19, size: 15, text, isBold: true });
  page.box({ x, y: y - 27, width: contentWidth, height: 1.2, fill: houseColour(house) });
}
