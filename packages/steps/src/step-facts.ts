import type { Arrival, Box, Finding, FixReport, Inspection, Plan, PreflightReport } from '@pdf2press/contract';
import { type CheckFact, type Facts, namesIn, type SessionValues, sessionFacts } from '@pdf2press/settings';
import type { CounterKind, Counters, KnownOfSession, SessionAround } from './step.ts';

/** Everything that a step may ask about its session by name. */
export interface StepFacts {
  facts: Facts;
  /** Of the newest preflight of the run; undefined when none ran, or when no name asks about findings. */
  findings: readonly Finding[] | undefined;
  pageCount: number;
}

const sides = (box: Box, unit: number) => ({ width: (box[2] - box[0]) * unit, height: (box[3] - box[1]) * unit });

/** Distance from the TrimBox to the BleedBox on the side where it is least, in points. */
const leastBleed = ({ trim, bleed }: { trim: Box; bleed: Box }): number =>
  Math.max(0, Math.min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3]));

/** The smallest; null of none. Not by `Math.min(...)`: a file may have more images than a call takes arguments. */
const least = (values: readonly number[]): number | null =>
  values.reduce<number | null>((low, value) => (low === null || value < low ? value : low), null);

/** Boxes that differ by less print as one size: 0.1 mm in points. */
const sameSize = 0.28;

/** Facts of the PDF as it came in. Lengths are points as seen, with the page turned by its Rotate and scaled by its UserUnit. */
function pdfValues({ pdf, pages, fonts, images, inks }: Inspection): SessionValues {
  const [first] = pages;
  if (!first) return {};
  const seen = ({ rotate, userUnit, effective }: typeof first, box: keyof typeof effective) => {
    const { width, height } = sides(effective[box], userUnit);
    return rotate % 180 === 0 ? { width, height } : { width: height, height: width };
  };
  const trim = seen(first, 'trim');
  const boxes = (['media', 'crop', 'bleed', 'art'] as const).flatMap((box): [string, number][] => {
    const { width, height } = seen(first, box);
    return [
      [`pdf.${box}Width`, width],
      [`pdf.${box}Height`, height],
    ];
  });
  const isOneSize = pages.every((page) => {
    const { width, height } = seen(page, 'trim');
    return Math.abs(width - trim.width) < sameSize && Math.abs(height - trim.height) < sameSize;
  });
  const difference = trim.width - trim.height;
  const spots = inks.filter(({ used }) => used).map(({ name }) => name);
  return {
    ...Object.fromEntries(boxes),
    'pdf.version': pdf.version,
    'pdf.conformance': pdf.conformance.join(', '),
    'pdf.trimWidth': trim.width,
    'pdf.trimHeight': trim.height,
    'pdf.orientation': Math.abs(difference) < sameSize ? 'Square' : difference > 0 ? 'Landscape' : 'Portrait',
    'pdf.bleedMin': least(pages.map(({ effective, userUnit }) => leastBleed(effective) * userUnit)),
    'pdf.spotCount': spots.length,
    'pdf.spotNames': spots,
    'pdf.inks': [...new Set(pages.flatMap((page) => page.inks))],
    'pdf.minPpi': least(images.flatMap(({ ppi }) => [ppi.x, ppi.y].filter((value) => value !== null))),
    'pdf.fontsMissing': [...new Set(fonts.filter(({ embedded, used }) => used && !embedded).map(({ name }) => name))],
    'pdf.hasTransparency': pages.some(({ transparency }) => transparency),
    'pdf.producer': pdf.producer,
    'pdf.title': pdf.title,
    'pdf.isOneSize': isOneSize,
  };
}

/**
 * Pages in colour and in black only, by the inks that their content names. Colour that becomes inks on the press only names
 * none: where a page does, nothing can be said of the file.
 */
function colourOf(pages: Inspection['pages']): SessionValues {
  if (pages.some(({ inks }) => inks.length === 0)) return {};
  const black = pages.filter(({ inks }) => inks.every((ink) => ink === 'Black')).length;
  return { 'pdf.colorPages': pages.length - black, 'pdf.bwPages': black };
}

/** What a preflight measured under a name, whichever of its checks did. */
const measuredIn = ({ checks }: PreflightReport, name: string): number | null => {
  const value = checks.map(({ summary }) => summary[name]).find((each) => typeof each === 'number');
  return typeof value === 'number' ? value : null;
};

/** What only preflight measures, from the plates that it makes. */
function reportValues(report: PreflightReport): SessionValues {
  const [colour, black] = [measuredIn(report, 'colourPages'), measuredIn(report, 'blackPages')];
  return {
    'preflight.infoCount': report.counts.Info,
    'preflight.findingsText': report.findingsText ?? null,
    'pdf.maxTac': measuredIn(report, 'maxAllInks') ?? measuredIn(report, 'maxCmyk'),
    ...(colour !== null && black !== null && { 'pdf.colorPages': colour, 'pdf.bwPages': black }),
  };
}

/** What the newest fix of the run changed. */
const fixValues = ({ actions, changes }: FixReport): SessionValues => ({
  'fix.applied': [...new Set(actions.filter(({ outcome }) => outcome === 'Applied').map(({ action }) => action))],
  'fix.changeCount': changes.reduce((sum, { count }) => sum + count, 0),
});

/** The newest imposition of the run. Lengths in points. */
const planValues = ({ layout, sheets }: Plan): SessionValues => ({
  'impose.type': layout,
  'impose.ups': sheets[0]?.front.cells.length ?? null,
  'impose.sheetCount': sheets.length,
  'impose.sheetWidth': sheets[0]?.width ?? null,
  'impose.sheetHeight': sheets[0]?.height ?? null,
});

const aroundValues = ({ app, organization, user, hold, ...around }: SessionAround, id: string): SessionValues => {
  const page = app && `${app.baseUrl}/workflows/session/${id}`;
  return {
    'session.url': page,
    'session.parentId': around.parentId,
    'session.finishedAt': around.finishedAt,
    'file.version': around.fileVersion,
    'preflight.reportUrl': page,
    'org.name': organization?.name ?? null,
    'org.id': organization?.id ?? null,
    'org.color': organization?.color ?? null,
    'user.name': user?.name ?? null,
    'user.email': user?.email ?? null,
    'hold.reason': hold?.reason ?? null,
    'hold.by': hold?.by ?? null,
    'hold.since': hold?.since ?? null,
    'app.title': app?.title ?? null,
    'app.baseUrl': app?.baseUrl ?? null,
  };
};

const counterValues = ({ total, daily, all }: Partial<Counters>): SessionValues => ({
  counter: total ?? null,
  'counter.daily': daily ?? null,
  'counter.all': all ?? null,
});
/** What counts for a name. */
const counterKinds: Readonly<Record<string, CounterKind>> = {
  counter: 'workflow',
  'counter.daily': 'workflow',
  'counter.all': 'house',
};

/** Beginnings of names whose values are around the session: `session.url` and the like are read with them. */
const around = ['session.url', 'session.parentid', 'session.finishedat', 'file.version', 'preflight.reporturl'];
const aroundGroups = ['org.', 'user.', 'hold.', 'app.'];

/** Each check's result, and the first number of what it measured. */
const checksOf = ({ checks }: PreflightReport): CheckFact[] =>
  checks.map(({ checkKey, result, summary }) => {
    const value = Object.values(summary).find((each) => typeof each === 'number');
    return { key: checkKey, result, ...(value !== undefined && { value: { type: 'Number', value } }) };
  });

/** What part of another file it is, and whether its bytes came before: unknown where the injection step does not compare. */
const arrivalValues = ({ part, duplicateOf, isCompared }: Arrival): SessionValues => ({
  'file.isDuplicate': duplicateOf !== undefined || (isCompared ? false : null),
  'file.duplicateOf': duplicateOf ?? null,
  'part.of': part?.fileName ?? null,
  'part.index': part?.index ?? null,
  'part.count': part?.count ?? null,
  'part.firstPage': part?.pages?.[0] ?? null,
  'part.lastPage': part?.pages?.[1] ?? null,
});

/** What every context holds: nothing is read for it. */
const contextValues = ({ session, workflow, step, file }: KnownOfSession): SessionValues => ({
  'session.id': session.id,
  'session.shortId': session.id.slice(-4).toUpperCase(),
  'session.status': 'Processing',
  'session.createdAt': session.createdAt,
  'session.source': session.source,
  'session.sourceName': session.sourceName,
  'session.restartCount': session.runNo - 1,
  'session.rerouteCount': session.rerouteCount,
  'workflow.name': workflow.name,
  'workflow.id': workflow.id,
  'workflow.version': workflow.version,
  'step.name': step.name,
  'step.kind': step.kind,
  'step.previousResult': session.previous.result,
  'step.previousOutcome': session.previous.outcome,
  'file.name': file.name,
  'file.originalName': session.fileName,
  'file.sizeBytes': file.size,
  'file.sha256': file.sha256,
  'pdf.pageCount': session.pageCount,
  'preflight.result': session.result,
  'preflight.errorCount': session.result ? session.errorCount : null,
  'preflight.warningCount': session.result ? session.warningCount : null,
});

/**
 * The facts of a session, for the names that a step's settings use: what preflight and inspection wrote is read from
 * storage only where one of the names asks for it.
 */
export async function stepFacts(
  context: KnownOfSession,
  names: readonly string[],
  now: Date = new Date(),
): Promise<StepFacts> {
  const { variables } = context.workflow;
  const defaults = variables.flatMap(({ default: text }) => (typeof text === 'string' ? namesIn(text) : []));
  const asked = [...names, ...defaults].map((name) => name.toLowerCase());
  const asks = (...prefixes: string[]) => asked.some((name) => prefixes.some((prefix) => name.startsWith(prefix)));
  // Written by steps of ours in this run.
  const made = async <T>(isAsked: boolean, role: string) =>
    isAsked ? ((await context.readMade(role)) as T | undefined) : undefined;
  const inspection = await made<Inspection>(asks('pdf.'), 'inspection');
  const ofPlates = ['pdf.maxtac', 'pdf.colorpages', 'pdf.bwpages'];
  const report = await made<PreflightReport>(asks('preflight.', ...ofPlates), 'preflightReport');
  const fixes = await made<FixReport>(asks('fix.'), 'fixReport');
  const plan = await made<Plan>(asks('impose.'), 'plan');
  const counting = [...new Set(asked.flatMap((name) => counterKinds[name] ?? []))];
  const counters = counting.length > 0 ? await context.takeCounters(counting) : null;
  const facts = sessionFacts({
    values: {
      ...contextValues(context),
      ...(asks('part.', 'file.isduplicate', 'file.duplicateof') && arrivalValues(context.session.arrival)),
      ...(inspection && { ...pdfValues(inspection), ...colourOf(inspection.pages) }),
      ...(report && reportValues(report)),
      ...(fixes && fixValues(fixes)),
      ...(plan && planValues(plan)),
      ...(asks(...around, ...aroundGroups) && aroundValues(await context.readAround(), context.session.id)),
      ...(counters && counterValues(counters)),
    },
    ...(report && { checks: checksOf(report) }),
    variables,
    handed: context.session.variables,
    reader: context.reader,
    now,
  });
  return { facts, findings: report?.findings, pageCount: context.session.pageCount ?? 0 };
}
