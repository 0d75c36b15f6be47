/** The report as a PDF that is handed to a customer: verdict, findings with their places, what was corrected, the sheets. */
import type { Finding } from '@pdf2press/contract';
import { createReportWriter } from '@pdf2press/pdf';
import { checkLabel } from '../findings/finding-sentence.ts';
import { writeFinding } from './finding-block.ts';
import { createPictureMaker, type PictureMaker } from './finding-picture.ts';
import { drawPage, fitted, markFindings, placePicture } from './page-picture.ts';
import { writeCover } from './report-cover.ts';
import { writeEdges, writeHeading } from './report-frame.ts';
import { contentWidth, createFlow, type Flow, grey, hairline, usableHeight } from './report-layout.ts';
import { byWorst, type ReportOptions, resultColours, type Say, sayIn } from './report-options.ts';

/** Pages shown as pictures; findings of further pages are text only. */
const maxPictures = 40;
const pictureRoom = { width: contentWidth, height: 400 };
/** Two sheets on a page of the report. */
const sheetRoom = { width: contentWidth, height: (usableHeight - 70) / 2 };
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
  const ofFile = report.findings.filter(({ page }) => page === null).toSorted(byWorst);
  if (ofFile.length > 0) writeHeading(flow, say('document'), options.house, 60);
  for (const finding of ofFile) writeFinding(flow, finding, null, options, say, []);
  const pages = [...new Set(report.findings.flatMap(({ page }) => page ?? []))].sort((a, b) => a - b);
  for (const [index, page] of pages.entries()) {
    const findings = report.findings.filter((finding) => finding.page === page).toSorted(byWorst);
    const label = findings.find(({ pageLabel }) => pageLabel)?.pageLabel;
    const title = say('page', {
      page: label && label !== String(page) ? `${page} (${label})` : page,
    });
    flow.gap(8);
    await writePage(flow, title, { number: page, hasPicture: index < maxPictures }, findings, options);
    for (const [nth, finding] of findings.entries())
      writeFinding(flow, finding, nth + 1, options, say, await crops(finding));
  }
  pictures.close();
  const all = report.counts.Fail + report.counts.Warn + report.counts.Info;
  if (all > report.findings.length)
    flow.paragraph(say('more', { count: all - report.findings.length }), {
      colour: grey,
    });
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

/** The imposed sheets, two on a page. */
async function writeSheets(flow: Flow, options: ReportOptions, say: Say): Promise<void> {
  const { sheets } = options;
  if (!sheets) return;
  const { pageCount } = sheets.file;
  flow.newPage();
  writeHeading(flow, say('sheets'), options.house, sheetRoom.height);
  for (let number = 1; number <= Math.min(pageCount, maxSheets); number += 1) {
    const drawn = await drawPage(sheets, number);
    if (!drawn) continue;
    const size = fitted(drawn, {
      width: sheetRoom.width,
      height: sheetRoom.height - 24,
    });
    const { page, x, y } = flow.reserve(size.height + 24);
    page.text({
      x,
      y: y - 10,
      size: 9,
      text: say('sheet', { page: number, pages: pageCount }),
      colour: grey,
    });
    placePicture(page, drawn, {
      x: x + (contentWidth - size.width) / 2,
      top: y - 15,
      ...size,
    });
  }
  if (pageCount > maxSheets)
    flow.paragraph(say('moreSheets', { count: pageCount - maxSheets }), {
      colour: grey,
    });
}

function writeChecks(flow: Flow, options: ReportOptions, say: Say): void {
  const { report, locale } = options;
  flow.gap(10);
  writeHeading(flow, say('checks'), options.house, 60);
  for (const check of report.checks) {
    const { page, x, y } = flow.reserve(17);
    const isDone = check.state === 'done';
    if (isDone)
      page.box({
        x,
        y: y - 11,
        width: 8,
        height: 8,
        fill: resultColours[check.result],
      });
    else page.box({ x, y: y - 11, width: 8, height: 8, stroke: grey });
    const state = !isDone
      ? say(`state.${check.state}`)
      : check.findingCount > 0
        ? say('found.count', { count: check.findingCount })
        : say('passed');
    page.text({
      x: x + 16,
      y: y - 10.5,
      size: 9.5,
      text: checkLabel(check.checkKey, locale),
    });
    const wide = flow.writer.width(state, 9);
    page.text({
      x: x + contentWidth - wide,
      y: y - 10.5,
      size: 9,
      text: state,
      colour: grey,
    });
    page.box({
      x,
      y: y - 16,
      width: contentWidth,
      height: 0.4,
      fill: hairline,
    });
  }
}
