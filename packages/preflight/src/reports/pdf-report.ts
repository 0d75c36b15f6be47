/** The report as a PDF that is handed to a customer: verdict, findings with their places, what was corrected, the sheets. */
import { type Finding, pageRanges } from '@pdf2press/contract';
import { createReportWriter, type RenderService, type ReportPage } from '@pdf2press/pdf';
import { checkLabel, findingSentence } from '../findings/finding-sentence.ts';
import { rulesIn, writeRule } from './finding-block.ts';
import { createPictureMaker, type PictureMaker } from './finding-picture.ts';
import { type DrawnPage, drawPage, fitted, markFindings, placePicture, sizeOf } from './page-picture.ts';
import { writeCover } from './report-cover.ts';
import { writeEdges, writeHeading } from './report-frame.ts';
import { contentWidth, createFlow, cut, type Flow, grey, hairline, usableHeight } from './report-layout.ts';
import { byWorst, type ReportOptions, resultColours, type Say, sayIn } from './report-options.ts';

/** Pages shown as pictures; findings of further pages are text only. */
const maxPictures = 40;
const pictureRoom = { width: contentWidth, height: 400 };
/** Between two sheets beside each other, points. */
const sheetGap = 18;
const maxSheets = 40;
/** Findings with a picture of their place; each one needs a rendering. */
const maxCrops = 60;
/** Sentences of one action of a fix. */
const maxSentences = 60;

/** Returns the PDF report. Findings of pages that cannot be drawn have no picture. */
export async function pdfReport(options: ReportOptions): Promise<Uint8Array> {
  const { report, locale } = options;
  const say = sayIn(locale);
  const writer = createReportWriter();
  const flow = createFlow(writer);
  await writeCover(flow, options, say);
  await writeFindings(flow, options, say);
  writeCorrected(flow, options, say);
  await writeSheets(flow, options, say);
  writeChecks(flow, options, say);
  writeEdges(flow, { house: options.house, about: report.file.name }, say);
  return writer.finish({
    title: `${say('title')}: ${report.file.name}`,
    locale,
  });
}

/** Pictures for the most severe findings; others get none. */
function cropsOf(findings: readonly Finding[], pictures: PictureMaker) {
  const chosen = new Set(
    findings
      .filter(({ box }) => box)
      .toSorted(byWorst)
      .slice(0, maxCrops),
  );
  return async (finding: Finding) => (chosen.has(finding) ? pictures.picturesOf(finding) : []);
}

async function writeFindings(flow: Flow, options: ReportOptions, say: Say): Promise<void> {
  const { report, render } = options;
  if (report.findings.length > 0) flow.newPage();
  const pictures = createPictureMaker(render);
  const crops = cropsOf(report.findings, pictures);
  const write = async (findings: readonly Finding[], isOnPage: boolean): Promise<void> => {
    const written = findings.map((finding, nth) => ({ finding, number: isOnPage ? nth + 1 : null }));
    for (const rule of rulesIn(written, options, say)) await writeRule(flow, rule, options, say, crops);
  };
  const ofFile = report.findings.filter(({ page }) => page === null).toSorted(byWorst);
  if (ofFile.length > 0) writeHeading(flow, say('document'), options.house, 60);
  await write(ofFile, false);
  for (const [index, { page, alike, findings }] of foundPages(options).entries()) {
    const label = findings.find(({ pageLabel }) => pageLabel)?.pageLabel;
    const title = say('page', {
      page: label && label !== String(page) ? `${page} (${label})` : page,
    });
    flow.gap(8);
    await writePage(flow, title, { number: page, hasPicture: index < maxPictures }, findings, options);
    if (alike.length > 0)
      flow.paragraph(say(alike.length === 1 ? 'alikeOne' : 'alike', { pages: pageRanges(alike) }), {
        size: 10,
        isBold: true,
        after: 6,
      });
    await write(findings, true);
  }
  pictures.close();
  const all = report.counts.Fail + report.counts.Warn + report.counts.Info;
  if (all > report.findings.length)
    flow.paragraph(say('more', { count: all - report.findings.length }), {
      colour: grey,
    });
}

/** A page with its findings, and later pages on which the same was found. */
interface FoundPage {
  page: number;
  alike: number[];
  findings: Finding[];
}

/** The pages with findings; those on which the same was found as on an earlier one stand there. */
function foundPages({ report, locale, unit }: ReportOptions): FoundPage[] {
  const byPage = new Map<number, Finding[]>();
  // The rules of a severity stay together, so that the numbers on the picture follow the list.
  const ordered = report.findings.toSorted((a, b) => byWorst(a, b) || a.ruleKey.localeCompare(b.ruleKey));
  for (const finding of ordered)
    if (finding.page !== null) byPage.set(finding.page, [...(byPage.get(finding.page) ?? []), finding]);
  const told = new Map<string, FoundPage>();
  for (const [page, findings] of [...byPage].sort(([a], [b]) => a - b)) {
    const found = findings
      .map((finding) => `${finding.severity} ${finding.ruleKey} ${findingSentence(finding, locale, 'customer', unit)}`)
      .sort()
      .join('\n');
    const first = told.get(found);
    if (first) first.alike.push(page);
    else told.set(found, { page, alike: [], findings });
  }
  return [...told.values()];
}

/** The heading of a page, and its picture with the findings marked. */
async function writePage(
  flow: Flow,
  title: string,
  { number, hasPicture }: { number: number; hasPicture: boolean },
  findings: readonly Finding[],
  options: ReportOptions,
): Promise<void> {
  const drawn = hasPicture ? await drawPage(options.render, number) : null;
  if (!drawn) {
    writeHeading(flow, title, options.house, 60);
    return;
  }
  const size = fitted(drawn, pictureRoom);
  writeHeading(flow, title, options.house, size.height + 100);
  const { page, x, y } = flow.reserve(size.height + 24);
  const place = {
    x: x + (contentWidth - size.width) / 2,
    top: y - 10,
    ...size,
  };
  placePicture(page, drawn, place);
  markFindings(page, drawn, findings, place);
}

function writeCorrected(flow: Flow, options: ReportOptions, say: Say): void {
  const corrected = (options.corrected ?? []).filter(({ sentences }) => sentences.length > 0);
  if (corrected.length === 0) return;
  flow.gap(10);
  writeHeading(flow, say('corrected'), options.house, 60);
  for (const { label, sentences } of corrected) {
    flow.keep(34);
    flow.paragraph(label, { size: 10.5, isBold: true, after: 1 });
    for (const each of sentences.slice(0, maxSentences)) flow.paragraph(each, { size: 9.5, indent: 12, after: 1 });
    const more = sentences.length - maxSentences;
    if (more > 0)
      flow.paragraph(say('moreChanges', { count: more }), {
        indent: 12,
        colour: grey,
      });
    flow.gap(6);
  }
}

/** The sides of the imposed sheets: upright ones beside each other, others below, so that each is as large as can be. */
async function writeSheets(flow: Flow, options: ReportOptions, say: Say): Promise<void> {
  const { sheets, locale, unit } = options;
  if (!sheets) return;
  const { pageCount, pages } = sheets.file;
  const numbers = Array.from({ length: Math.min(pageCount, maxSheets) }, (_, at) => at + 1);
  const drawn = await drawAll(sheets, numbers);
  const isUpright = drawn.every(({ raster }) => raster.height > raster.width);
  const across = isUpright && drawn.length > 1 ? 2 : 1;
  const room = {
    width: (contentWidth - (across - 1) * sheetGap) / across,
    height: (across === 2 ? usableHeight - 70 : (usableHeight - 70) / 2) - 24,
  };
  flow.newPage();
  writeHeading(flow, say('sheets'), options.house, 0);
  for (let first = 0; first < drawn.length; first += across) {
    const row = drawn.slice(first, first + across).map((each) => ({ ...each, ...fitted(each, room) }));
    const { page, x, y } = flow.reserve(Math.max(...row.map(({ height }) => height)) + 28);
    for (const [at, { number, width, height, raster, bytes }] of row.entries()) {
      const left = x + at * (room.width + sheetGap) + (room.width - width) / 2;
      const facts = pages[number - 1];
      const caption = [say('sheet', { page: number, pages: pageCount }), facts && sizeOf(facts, 'media', unit, locale)];
      page.text({ x: left, y: y - 11, size: 9, text: caption.filter(Boolean).join(' · '), colour: grey });
      placePicture(page, { raster, bytes }, { x: left, top: y - 16, width, height });
    }
  }
  if (pageCount > maxSheets)
    flow.paragraph(say('moreSheets', { count: pageCount - maxSheets }), {
      colour: grey,
    });
}

/** Pictures of the pages that can be drawn. */
async function drawAll(render: RenderService, numbers: readonly number[]) {
  const drawn: (DrawnPage & { number: number })[] = [];
  for (const number of numbers) {
    const page = await drawPage(render, number);
    if (page) drawn.push({ ...page, number });
  }
  return drawn;
}

/** Between the two columns of checks, points. */
const checkGap = 28;

/** Every check and how it came out, in two columns. */
function writeChecks(flow: Flow, options: ReportOptions, say: Say): void {
  const { report } = options;
  const wide = (contentWidth - checkGap) / 2;
  const half = Math.ceil(report.checks.length / 2);
  flow.gap(10);
  writeHeading(flow, say('checks'), options.house, Math.min(half * 17, 200));
  for (let row = 0; row < half; row += 1) {
    const { page, x, y } = flow.reserve(17);
    for (const [column, check] of [report.checks[row], report.checks[half + row]].entries())
      if (check) writeCheck(flow, page, check, { x: x + column * (wide + checkGap), y, wide }, options, say);
  }
  flow.gap(8);
  flow.paragraph(`SHA-256 ${report.file.sha256}`, { size: 7, colour: grey });
}

function writeCheck(
  { writer }: Flow,
  page: ReportPage,
  check: ReportOptions['report']['checks'][number],
  { x, y, wide }: { x: number; y: number; wide: number },
  { locale }: ReportOptions,
  say: Say,
): void {
  const isDone = check.state === 'done';
  page.box({
    ...{ x, y: y - 11, width: 8, height: 8 },
    ...(isDone ? { fill: resultColours[check.result] } : { stroke: grey }),
  });
  const state = !isDone
    ? say(`state.${check.state}`)
    : check.findingCount > 0
      ? say('found.count', { count: check.findingCount })
      : say('passed');
  const end = writer.width(state, 8.5);
  const label = cut(writer, checkLabel(check.checkKey, locale), 9.5, wide - end - 26);
  page.text({ x: x + 16, y: y - 10.5, size: 9.5, text: label });
  page.text({ x: x + wide - end, y: y - 10.5, size: 8.5, text: state, colour: grey });
  page.box({ x, y: y - 16, width: wide, height: 0.4, fill: hairline });
}
