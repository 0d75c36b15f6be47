/** The first page: whose report it is, the verdict, the file with a picture of it, and what was found by rule. */
import { contractMessages, type Finding, formatBytes, type PreflightReport, sentence } from '@pdf2press/contract';
import { ruleLabel } from '../findings/finding-sentence.ts';
import { drawPage } from './page-picture.ts';
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

/** Writes the first page. */
export async function writeCover(flow: Flow, options: ReportOptions, say: Say): Promise<void> {
  const { report, locale, render } = options;
  writeLetterhead(flow, options.house ?? null, say('title'));
  writePanel(flow, {
    colour: resultColours[report.result],
    title: sentence(contractMessages, locale, `proof.verdict.${report.result}`),
    text: countsTold(report, say),
  });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });
  const facts = [
    [say('file'), report.file.name],
    [say('size'), formatBytes(report.file.bytes)],
    [say('pages'), String(report.pageCount)],
    [say('profile'), report.profile.name],
    [say('date'), time.format(new Date(report.startedAt))],
    ['SHA-256', report.file.sha256],
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
    const label = `${say(`severity.${severity}`)}: ${ruleLabel(key, locale)}`;
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
