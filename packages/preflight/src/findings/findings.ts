/** Turns the reports of checks into findings: sets severities, groups equal findings and limits their number. */
import type { Finding, Severity } from '@pdf2press/contract';
import { mostPlaces, type Report } from '../checks/runner.ts';
import { type ProfileCheck, severityOf } from '../profile/profile.ts';
import { type PageObject, referenceOf, sampleOf } from '../reading/scene.ts';

const rank: Record<Severity, number> = { Info: 0, Warn: 1, Fail: 2 };

/** Findings of a check; `dropped` counts those kept without detail. Plain data that can be sent between threads. */
export interface Collected {
  findings: Finding[];
  dropped: Record<Severity, number>;
}
export const nothingCollected = (): Collected => ({
  findings: [],
  dropped: { Info: 0, Warn: 0, Fail: 0 },
});

const rounded = (value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : Array.isArray(value) ? value.map(rounded) : value;

/** Parameters that may differ within a group; the finding has those of its first member. */
const examples: ReadonlySet<string> = new Set(['sample', 'effectiveSize', 'inkCount', 'offset', 'from', 'to']);

/** Findings with the same key form one group; the place is not part of it. */
function groupKey(finding: Finding, acrossPages: boolean): string {
  const params = Object.fromEntries(Object.entries(finding.params).filter(([name]) => !examples.has(name)));
  return JSON.stringify([
    finding.ruleKey,
    finding.severity,
    acrossPages ? null : finding.page,
    finding.objectType,
    finding.resourceName,
    finding.side,
    rounded(finding.measured?.value),
    params,
    finding.standardRule,
  ]);
}

export interface Collector {
  report: (report: Report<string>, page: number | null, pageLabel: string | undefined) => void;
  collected: () => Collected;
}

/** Collects the reports of one check, grouped. */
export function createCollector(check: ProfileCheck): Collector {
  const groups = new Map<string, { finding: Finding; acrossPages: boolean }>();
  const collected = nothingCollected();
  return {
    report(report, page, pageLabel) {
      const severity = severityFor(check, report);
      if (!severity) return;
      const finding = toFinding(check, report, severity, page, pageLabel);
      const key = groupKey(finding, report.acrossPages === true);
      const group = groups.get(key);
      if (group) join(group.finding, finding);
      else if (groups.size < check.maxFindings) {
        // Reading the text is slow, so it is done for the first of a group only.
        if (report.object?.type === 'text') finding.params.sample = sampleOf(report.object.event);
        groups.set(key, { finding, acrossPages: report.acrossPages === true });
      } else collected.dropped[severity] += 1;
    },
    collected: () => ({
      ...collected,
      findings: [...groups.values()].map((group) => tagged(group)),
    }),
  };
}

/** A finding with `pages` is joined with equal findings of other pages. */
const tagged = ({ finding, acrossPages }: { finding: Finding; acrossPages: boolean }): Finding =>
  acrossPages && !finding.pages && finding.page !== null ? { ...finding, pages: [finding.page] } : finding;

function severityFor(check: ProfileCheck, report: Report<string>): Severity | null {
  const own = severityOf(check, report.rule);
  if (own === 'Measured') return report.severity ?? null;
  if (own === undefined || own === 'Off') return null;
  return own as Severity;
}

function join(group: Finding, other: Finding): void {
  group.count += other.count;
  const boxes = other.boxes ?? (other.box ? [other.box] : []);
  if (boxes.length > 0 && group.page === other.page) {
    group.boxes ??= group.box ? [group.box] : [];
    for (const box of boxes) if (group.boxes.length < mostPlaces) group.boxes.push(box);
  }
  if (other.pages ?? group.pages)
    group.pages = withPages(group.pages ?? [], other.pages ?? (other.page ? [other.page] : []));
}

/**
 * The pages of both lists in their order, each once. Findings are joined page by page, so the others nearly always stand
 * behind the first: then `pages` grows, because a copy for each of a thousand pages took as long as reading them.
 */
function withPages(pages: number[], others: readonly number[]): number[] {
  const last = pages.at(-1) ?? 0;
  const isBehind = others.every((page, index) => page > (others[index - 1] ?? last));
  if (!isBehind) return [...new Set([...pages, ...others])].sort((a, b) => a - b);
  for (const page of others) pages.push(page);
  return pages;
}

function toFinding(
  check: ProfileCheck,
  report: Report<string>,
  severity: Severity,
  page: number | null,
  pageLabel: string | undefined,
): Finding {
  const { object } = report;
  const box = report.box ?? object?.box;
  const objectRef = report.objectRef ?? (object && referenceOf(object));
  const colour = object && colourOf(object, report.colourOf ?? 'fill');
  const standardRule = check.standardRules[report.rule] ?? report.standardRule;
  const at = report.page === undefined ? page : report.page;
  return {
    id: '',
    checkKey: check.key,
    ruleKey: `${check.key}.${report.rule}`,
    severity,
    page: at,
    ...(at !== null && at === page && pageLabel !== undefined && pageLabel !== String(at) && { pageLabel }),
    ...((report.objectType ?? object?.type) && {
      objectType: report.objectType ?? object?.type,
    }),
    ...(objectRef !== undefined && { objectRef }),
    ...(report.resourceName !== undefined && {
      resourceName: report.resourceName,
    }),
    ...(box?.every(Number.isFinite) && { box: [box[0], box[1], box[2], box[3]] }),
    ...(report.boxes && {
      boxes: report.boxes.map(([x0, y0, x1, y1]) => [x0, y0, x1, y1] as [number, number, number, number]),
    }),
    ...(report.quad && { quad: [...report.quad] }),
    ...(report.side && { side: report.side }),
    ...(report.measured && { measured: report.measured }),
    ...(report.limit && { limit: report.limit }),
    ...(colour && { colour }),
    params: { ...report.params },
    ...ownWords(check),
    count: report.count ?? 1,
    fixableBy: report.fixableBy ?? null,
    ...(standardRule !== undefined && { standardRule }),
  };
}

/** Sentences of the profile that replace those of the check. */
function ownWords({ message, operatorMessage }: ProfileCheck): Pick<Finding, 'texts'> {
  const texts = {
    ...(Object.keys(message).length > 0 && { customer: message }),
    ...(Object.keys(operatorMessage).length > 0 && { operator: operatorMessage }),
  };
  return Object.keys(texts).length > 0 ? { texts } : {};
}

function colourOf(object: PageObject, which: 'fill' | 'stroke'): Finding['colour'] | undefined {
  const { state } = object.event;
  const paints = which === 'fill' ? object.fill : object.stroke;
  if (!paints) return undefined;
  const paint = which === 'fill' ? state.fill : state.stroke;
  return {
    space: paint.space.family,
    components: [...paint.values],
    overprint: which === 'fill' ? state.fillOverprint : state.strokeOverprint,
    overprintMode: state.overprintMode,
    alpha: which === 'fill' ? state.fillAlpha : state.strokeAlpha,
    blendMode: state.blendMode,
  };
}

/** Joins the findings of pages and document in their order. Beyond `maxFindings` those of the lowest severity are dropped. */
export function mergeCollected(check: ProfileCheck, parts: readonly Collected[]): Collected {
  const groups = new Map<string, Finding>();
  const dropped: Record<Severity, number> = { Info: 0, Warn: 0, Fail: 0 };
  for (const part of parts) {
    for (const finding of part.findings) {
      const acrossPages = finding.pages !== undefined;
      const key = groupKey(finding, acrossPages);
      const known = groups.get(key);
      if (known && acrossPages) join(known, finding);
      else groups.set(known ? `${key}${groups.size}` : key, finding);
    }
    for (const severity of ['Info', 'Warn', 'Fail'] as const) dropped[severity] += part.dropped[severity];
  }
  const all = [...groups.values()].map((finding, order) => ({
    finding,
    order,
  }));
  const kept = all
    .toSorted((a, b) => rank[b.finding.severity] - rank[a.finding.severity] || a.order - b.order)
    .slice(0, check.maxFindings);
  const isKept = new Set(kept);
  for (const entry of all) if (!isKept.has(entry)) dropped[entry.finding.severity] += 1;
  const findings = kept.toSorted((a, b) => a.order - b.order).map(({ finding }) => finding);
  return { findings, dropped };
}
