/** The report as a PDF: the checks, the sentences of all findings, and pictures of the pages with the findings marked. */
import { type Finding, formatBytes, type Locale, type PreflightReport, sentence, type Unit } from '@pdf2press/contract';
import {
  createReportWriter,
  encodePicture,
  fittingDpi,
  type RenderService,
  type Rgb,
  transformRect,
} from '@pdf2press/pdf';
import { checkLabel, findingSentence } from '../findings/finding-sentence.ts';
import { createPictureMaker, type FindingPicture, type PictureMaker } from './finding-picture.ts';
import { messages } from './messages.ts';
import { contentWidth, createFlow, type Flow, grey } from './report-layout.ts';

export interface ReportOptions {
  report: PreflightReport;
  locale: Locale;
  unit: Unit;
  render: RenderService;
}

export const severityColours: Readonly<Record<Finding['severity'], Rgb>> = {
  Fail: [0.8, 0.13, 0.13],
  Warn: [0.85, 0.5, 0],
  Info: [0.16, 0.42, 0.75],
};
const resultColours: Readonly<Record<PreflightReport['result'], Rgb>> = {
  Success: [0.1, 0.55, 0.25],
  Warning: severityColours.Warn,
  Error: severityColours.Fail,
};

/** Pages shown as pictures; findings of further pages are text only. */
const maxPictures = 40;
const pictureHeight = 300;

/** Findings with a picture of their place; each one needs a rendering. */
const maxCrops = 60;
const crop = { width: 170, height: 90, gap: 8 };

/** Returns the PDF report. Findings of pages that cannot be drawn have no picture. */
export async function pdfReport(options: ReportOptions): Promise<Uint8Array> {
  const { report, locale } = options;
  const say = (code: string, params?: Record<string, unknown>) => sentence(messages, locale, code, params);
  const writer = createReportWriter();
  const flow = createFlow(writer);
  writeHead(flow, report, locale, say);
  const ofDocument = report.findings.filter(({ page }) => page === null);
  if (ofDocument.length > 0) {
    flow.paragraph(say('document'), { size: 12, isBold: true, after: 4 });
    for (const finding of ofDocument) writeFinding(flow, finding, null, options, say, []);
  }
  const pages = [...new Set(report.findings.flatMap(({ page }) => page ?? []))].sort((a, b) => a - b);
  const pictures = createPictureMaker(options.render);
  const crops = cropsOf(report.findings, pictures);
  for (const [index, page] of pages.entries()) {
    const findings = report.findings.filter((finding) => finding.page === page);
    flow.gap(10);
    const label = findings.find(({ pageLabel }) => pageLabel)?.pageLabel;
    const title = say('page', { page: label ? `${page} (${label})` : page });
    if (index < maxPictures) await writePicture(flow, title, page, findings, options);
    else flow.paragraph(title, { size: 12, isBold: true, after: 4 });
    for (const [nth, finding] of findings.entries()) {
      const shown = await crops(finding);
      writeFinding(flow, finding, nth + 1, options, say, shown);
    }
  }
  pictures.close();
  return writer.finish({ title: `${say('title')}: ${report.file.name}`, locale });
}

/** Pictures for the most severe findings; others get none. */
function cropsOf(findings: readonly Finding[], pictures: PictureMaker) {
  const rank = { Fail: 0, Warn: 1, Info: 2 };
  const chosen = new Set(
    findings
      .filter(({ box }) => box)
      .toSorted((a, b) => rank[a.severity] - rank[b.severity])
      .slice(0, maxCrops),
  );
  return async (finding: Finding) => (chosen.has(finding) ? pictures.picturesOf(finding) : []);
}

type Say = (code: string, params?: Record<string, unknown>) => string;

function writeHead(flow: Flow, report: PreflightReport, locale: Locale, say: Say): void {
  flow.paragraph(say('title'), { size: 20, isBold: true, after: 6 });
  const { page, x, y } = flow.reserve(26);
  page.box({ x, y: y - 22, width: contentWidth, height: 22, fill: resultColours[report.result] });
  const counts = `${report.counts.Fail} × ${say('severity.Fail')}   ${report.counts.Warn} × ${say('severity.Warn')}   ${report.counts.Info} × ${say('severity.Info')}`;
  page.text({
    x: x + 8,
    y: y - 15,
    size: 11,
    text: `${say(`result.${report.result}`)}   ${counts}`,
    colour: [1, 1, 1],
    isBold: true,
  });
  const facts = [
    [say('file'), `${report.file.name} (${formatBytes(report.file.bytes)})`],
    [say('profile'), report.profile.name],
    [say('pages'), String(report.pageCount)],
    [
      say('date'),
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(report.startedAt)),
    ],
    ['SHA-256', report.file.sha256],
  ];
  for (const [name, value] of facts)
    if (value) flow.paragraph(`${name}: ${value}`, { size: 9, colour: grey, after: 0 });
  flow.gap(8);
  flow.paragraph(say('checks'), { size: 12, isBold: true, after: 4 });
  for (const check of report.checks) {
    const row = flow.reserve(14);
    row.page.box({ x: row.x, y: row.y - 10, width: 6, height: 6, fill: resultColours[check.result] });
    const state =
      check.state === 'done' ? (check.findingCount > 0 ? String(check.findingCount) : '') : say(`state.${check.state}`);
    row.page.text({ x: row.x + 12, y: row.y - 10, size: 9, text: checkLabel(check.checkKey, locale) });
    row.page.text({ x: row.x + 300, y: row.y - 10, size: 9, text: state, colour: grey });
  }
  const told = report.findings.length;
  const all = report.counts.Fail + report.counts.Warn + report.counts.Info;
  if (all > told) flow.paragraph(say('more', { count: all - told }), { colour: grey });
  flow.gap(10);
}

function writeFinding(
  flow: Flow,
  finding: Finding,
  number: number | null,
  { locale, unit }: ReportOptions,
  say: Say,
  pictures: readonly FindingPicture[],
): void {
  const indent = 20;
  const others = (finding.pages ?? []).filter((each) => each !== finding.page);
  const places = [
    finding.count > 1 ? say('times', { count: finding.count }) : '',
    others.length > 0
      ? say(others.length === 1 ? 'alsoOnOne' : 'alsoOn', {
          pages: others.slice(0, 30).join(', ') + (others.length > 30 ? ' …' : ''),
        })
      : '',
  ];
  const lines = [
    { text: findingSentence(finding, locale, 'customer', unit), size: 9, indent, after: 0 },
    { text: findingSentence(finding, locale, 'operator', unit), size: 8, indent, after: 0, colour: grey },
    { text: places.filter(Boolean).join(' · '), size: 8, indent, after: 0, colour: grey },
  ].filter(({ text }) => text !== '');
  // Keeps a finding on one page if it fits.
  const shown = pictures.length > 0 ? crop.height + (pictures.some(({ caption }) => caption) ? 14 : 4) : 0;
  const total = 18 + shown + lines.reduce((sum, line) => sum + flow.heightOf(line.text, line), 0);
  flow.keep(Math.min(total, pictureHeight));
  const { page, x, y } = flow.reserve(13);
  const colour = severityColours[finding.severity];
  page.box({ x, y: y - 11, width: 14, height: 11, fill: colour });
  if (number !== null)
    page.text({
      x: x + (number > 99 ? 0.5 : number > 9 ? 2.5 : 5),
      y: y - 8.5,
      size: number > 99 ? 7 : 7.5,
      text: String(number),
      colour: [1, 1, 1],
      isBold: true,
    });
  const rule = finding.standardRule ? `  ${finding.standardRule}` : '';
  page.text({
    x: x + indent,
    y: y - 9,
    size: 9,
    isBold: true,
    text: `${say(`severity.${finding.severity}`)} · ${checkLabel(finding.checkKey, locale)}${rule}`,
  });
  for (const { text, ...options } of lines) flow.paragraph(text, options);
  if (pictures.length > 0) writeCrops(flow, finding, pictures, { indent, height: shown, say });
  flow.gap(5);
}

/** The pictures of a finding, side by side. */
function writeCrops(
  flow: Flow,
  finding: Finding,
  pictures: readonly FindingPicture[],
  { indent, height, say }: { indent: number; height: number; say: Say },
): void {
  const { page, x, y } = flow.reserve(height);
  for (const [nth, { raster, bytes, caption }] of pictures.entries()) {
    const left = x + indent + nth * (crop.width + crop.gap);
    const scale = Math.min(crop.width / raster.width, crop.height / raster.height);
    const [wide, high] = [raster.width * scale, raster.height * scale];
    const top = y - 3;
    page.picture(bytes, { x: left, y: top - high, width: wide, height: high });
    page.box({ x: left, y: top - high, width: wide, height: high, stroke: [0.7, 0.7, 0.7], lineWidth: 0.5 });
    if (finding.box) {
      const [x0, y0, x1, y1] = transformRect(raster.frame.toPixel, finding.box);
      const at = (value: number, most: number) => Math.max(0, Math.min(most, value)) * scale;
      const frame = { x: left + at(x0, raster.width), y: top - at(y1, raster.height) };
      page.box({
        ...frame,
        width: Math.max(2, left + at(x1, raster.width) - frame.x),
        height: Math.max(2, top - at(y0, raster.height) - frame.y),
        stroke: severityColours[finding.severity],
        lineWidth: 0.8,
      });
    }
    if (caption) page.text({ x: left, y: top - high - 9, size: 7.5, text: say(caption), colour: grey });
  }
}

/** The picture of a page with a numbered frame for every finding that has a box. */
async function writePicture(
  flow: Flow,
  title: string,
  number: number,
  findings: readonly Finding[],
  { render }: ReportOptions,
): Promise<void> {
  const facts = render.file.pages[number - 1];
  const drawn = facts && (await pictureOf(render, number));
  if (!facts || !drawn) {
    flow.paragraph(title, { size: 12, isBold: true, after: 4 });
    return;
  }
  const { raster, bytes } = drawn;
  const scale = Math.min(contentWidth / raster.width, pictureHeight / raster.height);
  const [width, height] = [raster.width * scale, raster.height * scale];
  // Keeps title and picture on one page.
  const { page, x, y } = flow.reserve(height + 28);
  page.text({ x, y: y - 13, size: 12, text: title, isBold: true });
  const top = y - 20;
  page.picture(bytes, { x, y: top - height, width, height });
  page.box({ x, y: top - height, width, height, stroke: [0.7, 0.7, 0.7], lineWidth: 0.5 });
  for (const [nth, finding] of findings.entries()) {
    const colour = severityColours[finding.severity];
    const boxes = finding.boxes ?? (finding.box ? [finding.box] : []);
    for (const [index, box] of boxes.entries()) {
      const [x0, y0, x1, y1] = transformRect(raster.frame.toPixel, box);
      const left = x + Math.max(0, Math.min(raster.width, x0)) * scale;
      const right = x + Math.max(0, Math.min(raster.width, x1)) * scale;
      const upper = top - Math.max(0, Math.min(raster.height, y0)) * scale;
      const lower = top - Math.max(0, Math.min(raster.height, y1)) * scale;
      page.box({
        x: left - 1,
        y: lower - 1,
        width: Math.max(2, right - left + 2),
        height: Math.max(2, upper - lower + 2),
        stroke: colour,
        lineWidth: 1,
      });
      if (index === 0) {
        page.box({ x: left - 1, y: upper + 1, width: 10, height: 8, fill: colour });
        page.text({ x: left + 1, y: upper + 2.5, size: 6.5, text: String(nth + 1), colour: [1, 1, 1], isBold: true });
      }
    }
  }
}

async function pictureOf(render: RenderService, number: number) {
  const facts = render.file.pages[number - 1];
  if (!facts) return null;
  const [x0, y0, x1, y1] = facts.effective.media;
  const longest = Math.max(x1 - x0, y1 - y0) * facts.userUnit;
  try {
    // 900 pixels along the longer side are enough for the size in the report.
    const dpi = fittingDpi(facts, { dpi: Math.min(150, (900 * 72) / longest), box: 'media' });
    const raster = render.preview(number, { dpi, box: 'media' });
    return { raster, bytes: await encodePicture(raster, { format: 'jpeg', quality: 80 }) };
  } catch {
    // The report shows the findings of the page without a picture.
    return null;
  }
}
