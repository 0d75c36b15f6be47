/** The first page: whose report it is, the verdict, the file with a picture of it, and what was found by rule. */
import {
  contractMessages,
  type Finding,
  formatBytes,
  type Locale,
  type PreflightReport,
  sentence,
  type Unit,
} from '@pdf2press/contract';
import type { PageFacts, RenderService } from '@pdf2press/pdf';
import { ruleLabel } from '../findings/finding-sentence.ts';
import { drawPage, sidesOf, sizeOf } from './page-picture.ts';
import { writeFacts, writeLetterhead, writePanel } from './report-frame.ts';
import { contentWidth, cut, type Flow, grey, hairline } from './report-layout.ts';
import { byWorst, pagesTold, type ReportOptions, resultColours, type Say, severityColours } from './report-options.ts';

/** Rules named on the first page; the pages after it have all. */
const mostRules = 9;

/** The count of each severity that occurs: "7 errors · 8 warnings". */
function countsTold({ counts }: PreflightReport, say: Say): string {
  const found = (['Fail', 'Warn', 'Info'] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => say(`count.${severity}`, { count: counts[severity] }));
  return found.length > 0 ? found.join(' · ') : say('count.none');
}

/** Formats whose sides differ by less than this are one, points. */
const sameFormat = 1.5;
/** Formats named on the first page. */
const mostFormats = 3;

/** The formats of the pages as they are cut. */
function formatTold({ file }: RenderService, unit: Unit, locale: Locale, say: Say): string {
  const formats: PageFacts[] = [];
  for (const page of file.pages) {
    const sides = sidesOf(page, 'trim');
    const isKnown = formats.some((other) =>
      sidesOf(other, 'trim').every((side, at) => Math.abs(side - (sides[at] ?? 0)) < sameFormat),
    );
    if (!isKnown) formats.push(page);
    if (formats.length > mostFormats) return say('format.several');
  }
  return formats.map((page) => sizeOf(page, 'trim', unit, locale)).join(', ');
}

/** Writes the first page. */
export async function writeCover(flow: Flow, options: ReportOptions, say: Say): Promise<void> {
  const { report, locale, unit, render, timeZone } = options;
  writeLetterhead(flow, options.house ?? null, say('title'));
  const corrected = (options.corrected ?? []).reduce((sum, { sentences }) => sum + sentences.length, 0);
  writePanel(flow, {
    colour: resultColours[report.result],
    title: sentence(contractMessages, locale, `proof.verdict.${report.result}`),
    text: [countsTold(report, say), ...(corrected > 0 ? [say('correctedCount', { count: corrected })] : [])],
  });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const facts = [
    [say('file'), report.file.name],
    [say('format'), formatTold(render, unit, locale, say)],
    [say('pages'), String(report.pageCount)],
    [say('size'), formatBytes(report.file.bytes)],
    [say('profile'), report.profile.name],
    [say('date'), time.format(new Date(report.startedAt))],
  ] as const;
  writeFacts(flow, facts, await drawPage(render, 1));
  writeRules(flow, options, say);
}

interface FoundRule {
  key: string;
  severity: Finding['severity'];
  places: number;
  pages: number[];
}

/** The findings by their rules, the worst first. */
function rulesOf(findings: readonly Finding[]): FoundRule[] {
  const rules = new Map<string, FoundRule>();
  for (const { ruleKey, severity, count, page, pages } of findings) {
    const id = `${severity} ${ruleKey}`;
    const rule = rules.get(id) ?? {
      key: ruleKey,
      severity,
      places: 0,
      pages: [],
    };
    rules.set(id, rule);
    rule.places += count;
    rule.pages.push(...(pages ?? (page === null ? [] : [page])));
  }
  for (const rule of rules.values()) rule.pages = [...new Set(rule.pages)];
  return [...rules.values()].sort(byWorst);
}

function writeRules(flow: Flow, { report, locale }: ReportOptions, say: Say): void {
  const rules = rulesOf(report.findings);
  if (rules.length === 0) return;
  flow.paragraph(say('found'), { size: 13, isBold: true, after: 6 });
  for (const { key, severity, places, pages } of rules.slice(0, mostRules)) {
    const { page, x, y } = flow.reserve(19);
    page.box({
      x,
      y: y - 12,
      width: 8,
      height: 8,
      fill: severityColours[severity],
    });
    const where = `${pagesTold(pages, say)} · ${say('times', { count: places })}`;
    const wide = flow.writer.width(where, 9);
    const label = say('rule', { severity: say(`severity.${severity}`), rule: ruleLabel(key, locale) });
    page.text({
      x: x + 16,
      y: y - 11.5,
      size: 10,
      text: cut(flow.writer, label, 10, contentWidth - wide - 32),
    });
    page.text({
      x: x + contentWidth - wide,
      y: y - 11.5,
      size: 9,
      text: where,
      colour: grey,
    });
    page.box({
      x,
      y: y - 18,
      width: contentWidth,
      height: 0.4,
      fill: hairline,
    });
  }
  if (rules.length > mostRules)
    flow.paragraph(say('moreRules', { count: rules.length - mostRules }), {
      colour: grey,
      indent: 16,
    });
}
