/** The findings of a rule: what it is, what to do, and of each what, where and a picture of the place. */
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

/** A finding on its page; `number` is that of its frame on the picture of the page, null without a picture. */
export interface WrittenFinding {
  finding: Finding;
  number: number | null;
}

/** The findings of each rule, those together that ask for the same. */
export function rulesIn(
  written: readonly WrittenFinding[],
  { fixLabel }: Pick<ReportOptions, 'fixLabel'>,
  say: Say,
): WrittenFinding[][] {
  const rules = new Map<string, WrittenFinding[]>();
  for (const each of written) {
    const { severity, ruleKey } = each.finding;
    const key = `${severity} ${ruleKey} ${todoOf(each.finding, fixLabel, say)}`;
    rules.set(key, [...(rules.get(key) ?? []), each]);
  }
  return [...rules.values()];
}

type Looks = { size: number; colour?: typeof grey; isBold?: boolean; after?: number };

const blocksOf = (flow: Flow, lines: readonly (readonly [text: string, look: Looks])[], width: number): Block[] =>
  lines.filter(([text]) => text !== '').map(([text, look]) => blockOf(flow.writer, text, { ...look, width }));

const heightOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { height }) => sum + height, 0);

/** What a rule is called and what to do about it, once for its findings. */
function headOf(flow: Flow, finding: Finding, { locale, fixLabel }: ReportOptions, say: Say): Block[] {
  const { severity, ruleKey } = finding;
  const title = say('rule', { severity: say(`severity.${severity}`), rule: ruleLabel(ruleKey, locale) });
  const lines = [
    [title, { size: 11.5, isBold: true, colour: severityColours[severity], after: 1 }],
    [todoOf(finding, fixLabel, say), { size: 9.5, colour: ink, after: 1 }],
  ] as const;
  return blocksOf(flow, lines, contentWidth);
}

function itemOf(
  flow: Flow,
  finding: Finding,
  { locale, unit }: ReportOptions,
  say: Say,
  pictures: readonly FindingPicture[],
) {
  const isBeside = pictures.length === 1;
  const rule = finding.standardRule ? ` (${finding.standardRule})` : '';
  const lines = [
    [findingSentence(finding, locale, 'customer', unit), { size: 10, colour: ink, after: 2 }],
    [placesOf(finding, say), { size: 8.5, colour: grey, after: 1 }],
    [findingSentence(finding, locale, 'operator', unit) + rule, { size: 8, colour: grey }],
  ] as const;
  const blocks = blocksOf(flow, lines, contentWidth - indent - (isBeside ? crop.width + crop.gap : 0));
  const shown = Math.max(0, ...pictures.map((picture) => cropSize(picture).high));
  const below = pictures.length > 1 ? shown + 18 : 0;
  const text = heightOf(blocks);
  return { blocks, isBeside, height: (isBeside ? Math.max(text, shown) : text + below) + 16 };
}

/** Writes the findings of a rule that ask for the same: what it is and what to do once, then each with its place. */
export async function writeRule(
  flow: Flow,
  written: readonly WrittenFinding[],
  options: ReportOptions,
  say: Say,
  picturesOf: (finding: Finding) => Promise<readonly FindingPicture[]>,
): Promise<void> {
  for (const [nth, { finding, number }] of written.entries()) {
    const pictures = await picturesOf(finding);
    const item = itemOf(flow, finding, options, say, pictures);
    if (nth === 0) {
      const head = headOf(flow, finding, options, say);
      // Not left alone at the foot of a page.
      flow.keep(heightOf(head) + 12 + item.height);
      const { page, x, y } = flow.reserve(heightOf(head) + 10);
      writeBlocks(page, head, x, y - 2);
    }
    writeItem(flow, { finding, number }, item, say, pictures);
  }
  flow.gap(6);
}

function writeItem(
  flow: Flow,
  { finding, number }: WrittenFinding,
  { blocks, isBeside, height }: ReturnType<typeof itemOf>,
  say: Say,
  pictures: readonly FindingPicture[],
): void {
  const { page, x, y } = flow.reserve(height);
  page.box({ x, y: y - height + 6, width: contentWidth, height: 0.4, fill: hairline });
  if (number !== null) {
    page.box({ x, y: y - 16, width: 18, height: 15, fill: severityColours[finding.severity] });
    const digits = String(number);
    const size = digits.length > 2 ? 8 : 9.5;
    const wide = flow.writer.width(digits, size, true);
    page.text({ x: x + 9 - wide / 2, y: y - 11.8, size, text: digits, colour: [1, 1, 1], isBold: true });
  }
  const end = writeBlocks(page, blocks, x + indent, y);
  for (const [nth, picture] of pictures.entries()) {
    const left = isBeside ? x + contentWidth - crop.width : x + indent + nth * (crop.width + crop.gap);
    writeCrop(page, finding, picture, { left, top: isBeside ? y - 1 : end - 4, say });
  }
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
