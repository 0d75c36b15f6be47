import type { Box, Finding, Inspection, PreflightReport } from '@pdf2press/contract';
import { type CheckFact, type Facts, namesIn, type SessionValues, sessionFacts } from '@pdf2press/settings';
import type { KnownOfSession } from './step.ts';

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

/** Each check's result, and the first number of what it measured. */
const checksOf = ({ checks }: PreflightReport): CheckFact[] =>
  checks.map(({ checkKey, result, summary }) => {
    const value = Object.values(summary).find((each) => typeof each === 'number');
    return { key: checkKey, result, ...(value !== undefined && { value: { type: 'Number', value } }) };
  });

/** What every context holds: nothing is read for it. */
const contextValues = ({ session, workflow, step, file, original }: KnownOfSession): SessionValues => ({
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
  'file.originalName': original.name,
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
  const asks = (prefix: string) => asked.some((name) => name.startsWith(prefix));
  // Both files were written by steps of ours in this run.
  const inspection = asks('pdf.') ? ((await context.readMade('inspection')) as Inspection | undefined) : undefined;
  const report = asks('preflight.')
    ? ((await context.readMade('preflightReport')) as PreflightReport | undefined)
    : undefined;
  const facts = sessionFacts({
    values: {
      ...contextValues(context),
      ...(inspection && pdfValues(inspection)),
      ...(report && { 'preflight.infoCount': report.counts.Info }),
    },
    ...(report && { checks: checksOf(report) }),
    variables,
    handed: context.session.variables,
    reader: context.reader,
    now,
  });
  return { facts, findings: report?.findings, pageCount: context.session.pageCount ?? 0 };
}
