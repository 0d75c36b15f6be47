/** Runs a preflight: a file and a profile in, a report out. */
import { createRequire } from 'node:module';
import {
  type CheckResult,
  type Finding,
  levelOf,
  type PreflightReport,
  resolvePageRange,
  type Severity,
} from '@pdf2press/contract';
import { type PagePlates, type PdfFile, type Rect, runPages } from '@pdf2press/pdf';
import type { Variables } from '@pdf2press/settings';
import { engineVersion } from '@pdf2press/settings';
import type { CheckKey } from '../checks/contracts.ts';
import { checkContracts } from '../checks/contracts.ts';
import type { Reporter } from '../checks/runner.ts';
import { runnerOf } from '../checks/runners.ts';
import { type Collected, type Collector, createCollector, mergeCollected } from '../findings/findings.ts';
import { bindVariables } from '../profile/bind-variables.ts';
import { type PreflightProfile, type ProfileCheck, severityOf } from '../profile/profile.ts';
import { pageArea, type TrimSource } from '../reading/page-area.ts';
import type { PreflightServices, RenderTest } from '../reading/services.ts';
import { layersOf, lookAtPlates, type PlateLook, type RenderHealth, renderTestOf } from './look-at-plates.ts';
import { type PageOutcome, type PreflightJobParams, preflightJob, reasonOf } from './page-job.ts';

export interface PreflightOptions {
  file: PdfFile;
  /** Name of the file in the report. */
  fileName: string;
  sha256: string;
  password?: string | undefined;
  profile: PreflightProfile;
  profileId?: string | null | undefined;
  profileVersion?: number | null | undefined;
  variables?: Variables | undefined;
  services: PreflightServices;
  /** What the checks remembered of the version before: `remembered` of its report. */
  before?: PreflightReport['remembered'] | undefined;
  signal?: AbortSignal | undefined;
  threads?: number | undefined;
  /** Pages whose content was read. */
  onPage?: ((done: number, total: number) => void) | undefined;
  /** Pages whose plates were looked at; called where checks need plates, after the content of all pages was read. */
  onPlates?: ((done: number, total: number) => void) | undefined;
}

interface Running {
  check: ProfileCheck;
  /** Pages to check; null when the check is off or its range matches no page. */
  pages: readonly number[] | null;
  parts: Collected[];
  found: Map<number, unknown>;
  plates: Map<number, unknown>;
  failures: { page: number | null; reason: string }[];
  startedMs: number;
  spentMs: number;
}

/**
 * Runs every enabled check of a profile on a file. The content of each page is read once for all checks, in worker threads;
 * plates are made once per page, if a check needs them. The findings do not depend on the number of threads. Lengths in the
 * report are points, pages are 1-based.
 * @throws FileFaultError SETTINGS_INVALID when an expression gives a value that its setting refuses; PDF_LIMIT_* when the
 *   file exceeds a limit; the reason of the signal when it is aborted
 */
export async function preflight(options: PreflightOptions): Promise<PreflightReport> {
  const startedAt = new Date();
  const start = performance.now();
  const { file } = options;
  const schemaOf = (key: string) =>
    Object.hasOwn(checkContracts, key) ? checkContracts[key as CheckKey].settings : null;
  const profile = bindVariables(options.profile, options.variables ?? {}, schemaOf);
  const signal = options.signal ?? new AbortController().signal;
  const running = profile.checks.map((check) => begin(check, profile, file.pageCount));

  await walkPages(options, profile, running, signal);
  const health: RenderHealth = new Map();
  const rendering = {
    file,
    profile,
    services: options.services,
    signal,
    health,
  };
  await lookAtPlates(rendering, platesLooks(options, profile, running), options.onPlates);
  const renderTest = renderTestOf(rendering);
  const checks: CheckResult[] = [];
  const findings: Finding[] = [];
  const counts: Record<Severity, number> = { Info: 0, Warn: 0, Fail: 0 };
  const assumed = missingTrim(file, profile);
  if (assumed.length > 0) {
    const severities = assumed.map(({ severity }) => severity);
    findings.push(...assumed);
    for (const severity of severities) counts[severity] += 1;
    const findingCount = assumed.length;
    checks.push({ checkKey: 'BoxPolicy', result: levelOf(severities), state: 'done', summary: {}, findingCount });
  }
  for (const entry of running) {
    if (!entry.check.enabled) continue;
    const { result, kept, all } = await conclude({
      options,
      profile,
      entry,
      signal,
      renderTest,
    });
    checks.push(result);
    findings.push(...kept);
    for (const severity of ['Info', 'Warn', 'Fail'] as const) counts[severity] += all[severity];
  }
  findings.forEach((finding, index) => {
    finding.id = `f${index + 1}`;
  });
  const remembered = rememberedOf(options, running);
  return {
    format: 'pdf2press-preflight',
    formatVersion: 1,
    engineVersion,
    profile: {
      id: options.profileId ?? null,
      name: profile.name,
      version: options.profileVersion ?? null,
      preset: profile.basePreset?.key ?? null,
    },
    file: { name: options.fileName, bytes: file.bytes, sha256: options.sha256 },
    pageCount: file.pageCount,
    result: counts.Fail > 0 ? 'Error' : counts.Warn > 0 ? 'Warning' : 'Success',
    counts,
    checks,
    findings,
    ...(remembered && { remembered }),
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - start),
  };
}

function begin(check: ProfileCheck, profile: PreflightProfile, pageCount: number): Running {
  const inProfile = new Set(resolvePageRange(profile.pageRange, pageCount));
  const pages = resolvePageRange(check.pages ?? profile.pageRange, pageCount).filter(
    (page) => check.pages !== null || inProfile.has(page),
  );
  return {
    check,
    pages: check.enabled && pages.length > 0 ? pages : null,
    parts: [],
    found: new Map(),
    plates: new Map(),
    failures: [],
    startedMs: performance.now(),
    spentMs: 0,
  };
}

async function walkPages(
  options: PreflightOptions,
  profile: PreflightProfile,
  running: readonly Running[],
  signal: AbortSignal,
): Promise<void> {
  const walkers = running.map((entry) => (runnerOf(entry.check.key).page ? entry.pages : null));
  const pages = [...new Set(walkers.flatMap((list) => list ?? []))].sort((a, b) => a - b);
  if (pages.length === 0) return;
  const params: PreflightJobParams = { profile, pages: walkers };
  const run = runPages<PreflightJobParams, PageOutcome>({
    file: options.file,
    password: options.password,
    pages,
    job: {
      start: preflightJob,
      module: createRequire(import.meta.url).resolve('@pdf2press/preflight/page-job'),
      name: 'preflightJob',
    },
    params,
    ...(options.threads !== undefined && { threads: options.threads }),
    signal,
  });
  let done = 0;
  for await (const { page, result } of run) {
    for (const part of result) {
      const entry = running[part.check];
      if (!entry) continue;
      entry.parts.push(part.collected);
      if (part.failure === null) entry.found.set(page, part.found);
      else entry.failures.push({ page, reason: part.failure });
    }
    done += 1;
    options.onPage?.(done, pages.length);
  }
}

/** The checks that need plates, with their pages and resolution. */
function platesLooks(options: PreflightOptions, profile: PreflightProfile, running: readonly Running[]): PlateLook[] {
  return running.flatMap((entry) => {
    const { plates } = runnerOf(entry.check.key);
    const dpi = entry.pages && plates?.dpi(entry.check.settings as never);
    if (!dpi || !entry.pages) return [];
    return {
      pages: entry.pages.filter((page) => plates?.needs?.(entry.found.get(page)) ?? true),
      dpi,
      look: (page: number, plates: PagePlates) => lookAtPage(options, profile, entry, page, plates),
      fail: (page: number, reason: string) => entry.failures.push({ page, reason }),
    };
  });
}

async function lookAtPage(
  { file, services }: PreflightOptions,
  profile: PreflightProfile,
  entry: Running,
  number: number,
  plates: PagePlates,
): Promise<() => void> {
  const { check } = entry;
  const page = file.pages[number - 1];
  const look = runnerOf(check.key).plates?.look;
  if (!page || !look) return () => undefined;
  const collector = createCollector(check);
  const start = performance.now();
  let note: () => void;
  try {
    const context = {
      settings: check.settings as never,
      file,
      profile,
      report: ((report) => collector.report(report, page.number, page.label)) as Reporter<never>,
      isOn: (rule: string) => severityOf(check, rule) !== 'Off',
      page,
      area: pageArea(file, page, profile.boxPolicy),
      plates,
      closeUps: (parts: readonly Rect[], dpi: number) =>
        services.render().closeUps(number, parts, { dpi, layers: layersOf[profile.considerLayers] }),
    };
    const found = await look(context, entry.found.get(number));
    note = () => entry.plates.set(number, found);
  } catch (error) {
    note = () => entry.failures.push({ page: number, reason: reasonOf(error) });
  }
  const spentMs = performance.now() - start;
  return () => {
    note();
    entry.parts.push(collector.collected());
    entry.spentMs += spentMs;
  };
}

interface Concluding {
  options: PreflightOptions;
  profile: PreflightProfile;
  entry: Running;
  signal: AbortSignal;
  renderTest: RenderTest;
}

async function conclude(concluding: Concluding) {
  const { entry, signal } = concluding;
  const { check } = entry;
  const nothing = { Info: 0, Warn: 0, Fail: 0 };
  if (!entry.pages) {
    const finding = frameFinding('notApplicable', 'Info', check, null, {});
    const result: CheckResult = {
      checkKey: check.key,
      result: 'Success',
      state: 'notApplicable',
      summary: {},
      findingCount: 1,
    };
    return { result, kept: [finding], all: { ...nothing, Info: 1 } };
  }
  const collector = createCollector(check);
  const start = performance.now();
  let summary: Finding['params'] = {};
  try {
    summary = await documentPart(concluding, collector);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    entry.failures.push({ page: null, reason: reasonOf(error) });
  }
  const merged = mergeCollected(check, [...entry.parts, collector.collected()]);
  const failures = failureFindings(entry);
  const kept = [...failures, ...merged.findings];
  const all = { ...merged.dropped };
  for (const finding of kept) all[finding.severity] += 1;
  const found = (['Info', 'Warn', 'Fail'] as const).filter((severity) => all[severity] > 0);
  const result: CheckResult = {
    checkKey: check.key,
    result: levelOf(found),
    state: entry.failures.length > 0 ? 'failed' : 'done',
    summary,
    findingCount: all.Info + all.Warn + all.Fail,
    durationMs: Math.round(entry.spentMs + performance.now() - start),
  };
  return { result, kept, all };
}

/** The results of a check for its pages. */
const resultsOf = (entry: Running) =>
  (entry.pages ?? []).map((page) => ({ page, found: entry.found.get(page), plates: entry.plates.get(page) }));

/** The profile with only the checks that keep something of a file for the comparison with its next version. */
export const rememberingOnly = (profile: PreflightProfile): PreflightProfile => ({
  ...profile,
  checks: profile.checks.filter(({ key }) => runnerOf(key).remembers !== undefined),
});

/** What the checks keep of the file; null where none keeps anything. */
function rememberedOf(
  { file, sha256 }: PreflightOptions,
  running: readonly Running[],
): NonNullable<PreflightReport['remembered']> | null {
  const kept = running.flatMap((entry): [string, unknown][] => {
    const { remembers } = runnerOf(entry.check.key);
    return remembers && entry.pages
      ? [[entry.check.key, remembers({ sha256, pageCount: file.pageCount }, resultsOf(entry))]]
      : [];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

function documentPart({ options, profile, entry, signal, renderTest }: Concluding, collector: Collector) {
  const { check } = entry;
  const { file } = options;
  const areaOf = (number: number) => {
    const page = file.pages[number - 1];
    if (!page) throw new RangeError(`page ${number}`);
    return pageArea(file, page, profile.boxPolicy);
  };
  const context = {
    settings: check.settings as never,
    file,
    profile,
    report: ((report) => {
      const page = report.page ?? null;
      collector.report(report, page, page === null ? undefined : file.pages[page - 1]?.label);
    }) as Reporter<never>,
    isOn: (rule: string) => severityOf(check, rule) !== 'Off',
    pageCount: file.pageCount,
    pages: entry.pages ?? [],
    areaOf,
    variables: options.variables ?? {},
    renderTest,
    signal,
    sha256: options.sha256,
    before: options.before?.[check.key],
  };
  return runnerOf(check.key).document(context, resultsOf(entry));
}

function failureFindings(entry: Running): Finding[] {
  if (entry.failures.length === 0) return [];
  const pages = entry.failures.flatMap(({ page }) => (page === null ? [] : [page])).sort((a, b) => a - b);
  const reason = entry.failures[0]?.reason ?? '';
  const finding = frameFinding('cannotEvaluate', entry.check.onCannotEvaluate, entry.check, pages[0] ?? null, {
    reason,
  });
  return [
    {
      ...finding,
      count: entry.failures.length,
      ...(pages.length > 1 && { pages }),
    },
  ];
}

/** A finding about the run itself; its sentences are in findings/messages. */
function frameFinding(
  rule: string,
  severity: Severity,
  check: ProfileCheck | null,
  page: number | null,
  params: Finding['params'],
): Finding {
  return {
    id: '',
    checkKey: check?.key ?? 'BoxPolicy',
    ruleKey: `Preflight.${rule}`,
    severity,
    page,
    objectType: page === null ? 'document' : 'page',
    params: { ...(check && { check: check.key }), ...params },
    count: 1,
    fixableBy: null,
  };
}

/** Findings of the box policy: pages without TrimBox, one finding for each box or mark used instead. */
function missingTrim(file: PdfFile, profile: PreflightProfile): Finding[] {
  const severity = profile.boxPolicy.onMissingTrim;
  if (severity === 'Off' || !profile.checks.some((check) => check.enabled && checkContracts[check.key].usesTrim))
    return [];
  const bySource = new Map<TrimSource, number[]>();
  for (const number of resolvePageRange(profile.pageRange, file.pageCount)) {
    const page = file.pages[number - 1];
    if (!page || page.boxes.trim) continue;
    const { trimSource } = pageArea(file, page, profile.boxPolicy);
    bySource.set(trimSource, [...(bySource.get(trimSource) ?? []), number]);
  }
  return [...bySource].map(([trimSource, pages]) => {
    const source = standIns[trimSource];
    return {
      ...frameFinding('trimMissing', severity, null, pages[0] ?? null, { source }),
      count: pages.length,
      fixableBy: { action: 'SetPageBoxes', params: { box: 'Trim', from: source } },
      ...(pages.length > 1 && { pages }),
    };
  });
}

/** What is used instead of the TrimBox, as a value of `from` of the fix SetPageBoxes. */
const standIns: Record<TrimSource, string> = { TrimBox: 'TrimBox', Marks: 'Marks', Crop: 'CropBox', Media: 'MediaBox' };
