/** One finding: what it is, where, what to do, and a picture of the place. */
import { type Finding, pageRanges } from '@pdf2press/contract';
import { transformRect } from '@pdf2press/pdf';
import { findingSentence, ruleLabel } from '../findings/finding-sentence.ts';
import type { FindingPicture } from './finding-picture.ts';
import { type Block, blockOf, contentWidth, type Flow, grey, hairline, ink, writeBlocks } from './report-layout.ts';
import { type ReportOptions, type Say, severityColours } from './report-options.ts';

const indent = 26;
const crop = { width: 176, height: 112, gap: 10 };

function cropSize({ raster }: Pick<FindingPicture, 'raster'>): {
  scale: number;
  wide: number;
  high: number;
} {
  const scale = Math.min(crop.width / raster.width, crop.height / raster.height);
  return { scale, wide: raster.width * scale, high: raster.height * scale };
}

/** What to do about a finding; empty for a note. */
function todoOf({ severity, fixableBy }: Finding, fixLabel: ReportOptions['fixLabel'], say: Say): string {
  if (severity === 'Info') return '';
  return fixableBy && fixLabel ? say('todo.fixable', { fix: fixLabel(fixableBy.action) }) : say(`todo.${severity}`);
}

function placesOf({ page, pages, count }: Finding, say: Say): string {
  const others = (pages ?? []).filter((each) => each !== page);
  return [
    count > 1 ? say('times', { count }) : '',
    others.length > 0
      ? say(others.length === 1 ? 'alsoOnOne' : 'alsoOn', {
          pages: pageRanges(others),
        })
      : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function blocksOf(flow: Flow, finding: Finding, options: ReportOptions, say: Say, width: number): Block[] {
  const { locale, unit, fixLabel } = options;
  const rule = finding.standardRule ? ` (${finding.standardRule})` : '';
  const technical = findingSentence(finding, locale, 'operator', unit);
  const lines: [string, { size: number; colour?: typeof grey; isBold?: boolean; after?: number }][] = [
    [
      `${say(`severity.${finding.severity}`)}: ${ruleLabel(finding.ruleKey, locale)}`,
      {
        size: 10.5,
        isBold: true,
        colour: severityColours[finding.severity],
        after: 1,
      },
    ],
    [findingSentence(finding, locale, 'customer', unit), { size: 10, colour: ink, after: 2 }],
    [todoOf(finding, fixLabel, say), { size: 9.5, colour: ink, isBold: true, after: 2 }],
    [placesOf(finding, say), { size: 8.5, colour: grey, after: 1 }],
    [technical + rule, { size: 8, colour: grey }],
  ];
  return lines.filter(([text]) => text !== '').map(([text, look]) => blockOf(flow.writer, text, { ...look, width }));
}

/** Writes a finding; `number` is that of its frame on the picture of the page. */
export function writeFinding(
  flow: Flow,
  finding: Finding,
  number: number | null,
  options: ReportOptions,
  say: Say,
  pictures: readonly FindingPicture[],
): void {
  const isBeside = pictures.length === 1;
  const width = contentWidth - indent - (isBeside ? crop.width + crop.gap : 0);
  const blocks = blocksOf(flow, finding, options, say, width);
  const text = blocks.reduce((sum, block) => sum + block.height, 0);
  const shown = Math.max(0, ...pictures.map((picture) => cropSize(picture).high));
  const below = pictures.length > 1 ? shown + 18 : 0;
  const height = (isBeside ? Math.max(text, shown) : text + below) + 14;
  const { page, x, y } = flow.reserve(height);
  page.box({
    x,
    y: y - 16,
    width: 18,
    height: 15,
    fill: severityColours[finding.severity],
  });
  if (number !== null) {
    const digits = String(number);
    const size = digits.length > 2 ? 8 : 9.5;
    const wide = flow.writer.width(digits, size, true);
    page.text({
      x: x + 9 - wide / 2,
      y: y - 11.8,
      size,
      text: digits,
      colour: [1, 1, 1],
      isBold: true,
    });
  }
  const end = writeBlocks(page, blocks, x + indent, y);
  for (const [nth, picture] of pictures.entries()) {
    const left = isBeside ? x + contentWidth - crop.width : x + indent + nth * (crop.width + crop.gap);
    writeCrop(page, finding, picture, {
      left,
      top: isBeside ? y - 1 : end - 4,
      say,
    });
  }
  page.box({
    x,
    y: y - height + 6,
    width: contentWidth,
    height: 0.4,
    fill: hairline,
  });
}

function writeCrop(
  page: ReturnType<Flow['reserve']>['page'],
  { box, severity }: Finding,
  { raster, bytes, caption }: FindingPicture,
  { left, top, say }: { left: number; top: number; say: Say },
): void {
  const { scale, wide, high } = cropSize({ raster });
  page.picture(bytes, { x: left, y: top - high, width: wide, height: high });
  page.box({
    x: left,
    y: top - high,
    width: wide,
    height: high,
    stroke: hairline,
    lineWidth: 0.75,
  });
  if (box) {
    const [x0, y0, x1, y1] = transformRect(raster.frame.toPixel, box);
    const at = (value: number, most: number) => Math.max(0, Math.min(most, value)) * scale;
    const frame = {
      x: left + at(x0, raster.width),
      y: top - at(y1, raster.height),
    };
    page.box({
      ...frame,
      width: Math.max(2, left + at(x1, raster.width) - frame.x),
      height: Math.max(2, top - at(y0, raster.height) - frame.y),
      stroke: severityColours[severity],
      lineWidth: 1,
    });
  }
  if (caption)
    page.text({
      x: left,
      y: top - high - 10,
      size: 8,
      text: say(caption),
      colour: grey,
    });
}
