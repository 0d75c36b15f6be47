/**
 * Runs the page part of all checks on one page, in a worker thread; the content is read once. A check that throws is
 * recorded as failed for the page and the others continue. Nothing here looks at a clock: the work is limited by the
 * operators that a page may have and by the processor time of the whole process, so a busy machine changes no result.
 */
import { FileFaultError } from '@pdf2press/contract';
import { interpretPage, type PageFacts, type PdfFile, type Reader } from '@pdf2press/pdf';
import type { PageWatch, Reporter } from '../checks/runner.ts';
import { runnerOf } from '../checks/runners.ts';
import { type Collected, createCollector } from '../findings/findings.ts';
import { type PreflightProfile, type ProfileCheck, severityOf } from '../profile/profile.ts';
import { createInkGrid, type InkGrid } from '../reading/ink-grid.ts';
import { type PageArea, pageArea } from '../reading/page-area.ts';
import {
  imageObject,
  type PageObject,
  passesFilter,
  shadingObject,
  textObject,
  vectorObject,
} from '../reading/scene.ts';

export interface PreflightJobParams {
  profile: PreflightProfile;
  /** By check of the profile: the pages to check, 1-based; null for none. */
  pages: readonly (readonly number[] | null)[];
}
export interface CheckOnPage {
  /** Index of the check in the profile. */
  check: number;
  found: unknown;
  collected: Collected;
  /** Why the check failed on this page; null if it did not. */
  failure: string | null;
}
export type PageOutcome = readonly CheckOnPage[];

interface Watching {
  index: number;
  check: ProfileCheck;
  watch: PageWatch<unknown>;
  collected: () => Collected;
  failure: string | null;
}

/** The job for `runPages` of packages/pdf. @throws FileFaultError PDF_LIMIT_* when the file exceeds a limit */
export function preflightJob(file: PdfFile, params: PreflightJobParams): { page: (number: number) => PageOutcome } {
  const wanted = params.pages.map((pages) => (pages ? new Set(pages) : null));
  return {
    page(number) {
      const facts = file.pages[number - 1];
      if (!facts) return [];
      const area = pageArea(file, facts, params.profile.boxPolicy);
      const walk: Walk = { file, page: facts, profile: params.profile, area, ink: null };
      const watching = params.profile.checks.flatMap((check, index) =>
        wanted[index]?.has(number) ? startWatch(walk, check, index) : [],
      );
      if (watching.some(({ failure }) => failure === null)) walkOrGiveUp(walk, watching);
      return watching.map((entry) => {
        const found = entry.failure === null ? attempt(entry, () => entry.watch.end()) : undefined;
        return {
          check: entry.index,
          found,
          collected: entry.collected(),
          failure: entry.failure,
        };
      });
    },
  };
}

interface Walk {
  readonly file: PdfFile;
  readonly page: PageFacts;
  readonly profile: PreflightProfile;
  readonly area: PageArea;
  /** Ink painted so far; null unless a check uses it. */
  ink: InkGrid | null;
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

function startWatch(walk: Walk, check: ProfileCheck, index: number): Watching[] {
  const { file, page, profile, area } = walk;
  const runner = runnerOf(check.key);
  if (!runner.page) return [];
  const collector = createCollector(check);
  const entry: Watching = {
    index,
    check,
    watch: { end: () => undefined },
    collected: collector.collected,
    failure: null,
  };
  const report = ((found) => collector.report(found, page.number, page.label)) as Reporter<never>;
  attempt(entry, () => {
    entry.watch =
      runner.page?.({
        settings: check.settings as never,
        file,
        profile,
        report,
        isOn: (rule) => severityOf(check, rule) !== 'Off',
        page,
        area,
        inkBelow: () => (walk.ink ??= createInkGrid(area.media)),
      }) ?? entry.watch;
  });
  return [entry];
}

/** Runs code of a check; an error is recorded as the reason and ends the check on this page. */
function attempt<T>(entry: Watching, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    entry.failure = reasonOf(error);
    return undefined;
  }
}

/** The same for objects, without creating a function for each: a page can have a hundred thousand. */
function show(entry: Watching, watch: (object: PageObject) => void, object: PageObject): void {
  try {
    watch(object);
  } catch (error) {
    entry.failure = reasonOf(error);
  }
}

/** If the page cannot be read, all its checks fail; an exceeded limit of the file ends the run. */
function walkOrGiveUp(walk: Walk, watching: readonly Watching[]): void {
  try {
    walkPage(walk, watching);
  } catch (error) {
    if (error instanceof FileFaultError) throw error;
    for (const entry of watching) entry.failure ??= reasonOf(error);
  }
}

function walkPage({ file, page, profile, area, ink }: Walk, watching: readonly Watching[]): void {
  const frame = { area, considerLayers: profile.considerLayers };
  const each = <K extends keyof PageWatch<unknown>>(method: K) => watching.filter((entry) => entry.watch[method]);
  const objectWatchers = each('object');
  const onObject = (object: PageObject) => {
    for (const entry of objectWatchers) {
      const { object: watch } = entry.watch;
      if (watch && entry.failure === null && passesFilter(object, entry.check.objects)) show(entry, watch, object);
    }
    if (!object.inGlyph) ink?.paint(object);
  };
  const forward = <K extends 'runBegin' | 'runEnd' | 'mark' | 'syntax'>(method: K) => {
    const listeners = each(method);
    return listeners.length === 0
      ? {}
      : {
          [method]: (event: never) => {
            for (const entry of listeners) {
              if (entry.failure === null)
                attempt(entry, () => (entry.watch[method] as ((e: never) => void) | undefined)?.(event));
            }
          },
        };
  };
  const reader: Reader = {
    ...(objectWatchers.length > 0 && {
      text: (event) => onObject(textObject(event, frame)),
      path: (event) => onObject(vectorObject(event, frame)),
      image: (event) => onObject(imageObject(event, frame)),
      shading: (event) => onObject(shadingObject(event, frame)),
    }),
    ...forward('runBegin'),
    ...forward('runEnd'),
    ...forward('mark'),
    ...forward('syntax'),
  };
  if (Object.keys(reader).length > 0) {
    interpretPage(file, page.number, [reader], {
      annotations: true,
      type3: true,
      patterns: true,
      softMasks: true,
    });
  }
}
