/** Pictures of whole pages, with a numbered frame around every finding that has a place. */
import { type Finding, formatLength, type Locale, type Unit } from '@pdf2press/contract';
import {
  encodePicture,
  fittingDpi,
  type PageFacts,
  type RenderService,
  type ReportPage,
  transformRect,
} from '@pdf2press/pdf';
import { hairline } from './report-layout.ts';
import { severityColours } from './report-options.ts';

/** The picture of a page. */
export type DrawnPage = NonNullable<Awaited<ReturnType<typeof drawPage>>>;

/** Pixels along the longer side: 170 dpi where the picture is as high as half a page of the report. */
const longestSide = 1150;

/** Draws a page; null for one that cannot be drawn, which the report shows without a picture. */
export async function drawPage(render: RenderService, number: number, side = longestSide) {
  const facts = render.file.pages[number - 1];
  if (!facts) return null;
  const [x0, y0, x1, y1] = facts.effective.media;
  const longest = Math.max(x1 - x0, y1 - y0) * facts.userUnit;
  try {
    const dpi = fittingDpi(facts, {
      dpi: Math.min(300, (side * 72) / longest),
      box: 'media',
    });
    const raster = render.preview(number, { dpi, box: 'media' });
    return {
      raster,
      bytes: await encodePicture(raster, { format: 'jpeg', quality: 82 }),
    };
  } catch {
    return null;
  }
}

/** Width and height in points, as the page is read. */
export function sidesOf({ effective, userUnit, rotate }: PageFacts, box: 'trim' | 'media'): number[] {
  const [x0, y0, x1, y1] = effective[box];
  const sides = [(x1 - x0) * userUnit, (y1 - y0) * userUnit];
  return rotate % 180 === 0 ? sides : sides.toReversed();
}

/** Width and height of a page as it is read: as it is cut (`trim`), or of its paper (`media`). */
export function sizeOf(facts: PageFacts, box: 'trim' | 'media', unit: Unit, locale: Locale): string {
  return sidesOf(facts, box)
    .map((side) => formatLength(side, unit, locale))
    .join(' × ');
}

/** The size in points that fits a picture into a room. */
export function fitted(
  { raster }: DrawnPage,
  room: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(room.width / raster.width, room.height / raster.height);
  return { width: raster.width * scale, height: raster.height * scale };
}

/** Places a picture of a page by its upper left corner, with a thin edge. */
export function placePicture(
  page: ReportPage,
  { bytes }: DrawnPage,
  { x, top, width, height }: { x: number; top: number; width: number; height: number },
): void {
  const place = { x, y: top - height, width, height };
  page.picture(bytes, place);
  page.box({ ...place, stroke: hairline, lineWidth: 0.75 });
}

/** Frames the places of the findings on a picture; the number of each is its place in the list, from 1. */
export function markFindings(
  page: ReportPage,
  { raster }: DrawnPage,
  findings: readonly Finding[],
  { x, top, width }: { x: number; top: number; width: number },
): void {
  const scale = width / raster.width;
  for (const [nth, finding] of findings.entries()) {
    const colour = severityColours[finding.severity];
    const boxes = finding.boxes ?? (finding.box ? [finding.box] : []);
    for (const [index, box] of boxes.entries()) {
      const [x0, y0, x1, y1] = transformRect(raster.frame.toPixel, box);
      const across = (value: number) => x + Math.max(0, Math.min(raster.width, value)) * scale;
      const down = (value: number) => top - Math.max(0, Math.min(raster.height, value)) * scale;
      const [left, upper] = [across(x0), down(y0)];
      page.box({
        x: left - 1,
        y: down(y1) - 1,
        width: Math.max(2, across(x1) - left + 2),
        height: Math.max(2, upper - down(y1) + 2),
        stroke: colour,
        lineWidth: 1,
      });
      if (index > 0) continue;
      const digits = String(nth + 1);
      page.box({
        x: left - 1,
        y: upper + 1,
        width: 4 + digits.length * 4,
        height: 9,
        fill: colour,
      });
      page.text({
        x: left + 1,
        y: upper + 3,
        size: 7,
        text: digits,
        colour: [1, 1, 1],
        isBold: true,
      });
    }
  }
}
