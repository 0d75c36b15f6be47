/** What a check gets and what it returns. */
import type { Finding, Measure, Severity } from '@pdf2press/contract';
import type { MarkEvent, PageFacts, PagePlates, PdfFile, Rect, RunEvent, SyntaxEvent } from '@pdf2press/pdf';
import type { Variables } from '@pdf2press/settings';
import type { InkGrid } from '../reading/ink-grid.ts';
import type { PageArea } from '../reading/page-area.ts';
import type { ProfileFrame } from '../reading/profile-frame.ts';
import type { PageObject } from '../reading/scene.ts';
import type { RenderTest } from '../reading/services.ts';
import type { CheckKey, RuleOf, SettingsOf } from './contracts.ts';

/**
 * A fix that removes the finding: key of the action and the settings that differ from its defaults. This package does not
 * import the fixes; packages/tasks/src/fix-clears.test.ts runs every suggestion.
 */
export interface FixHint {
  action: string;
  params: Readonly<Record<string, unknown>>;
}

/** Places kept per finding. */
export const mostPlaces = 50;

/** One place where a rule is broken. Fields left out are taken from the object and the profile. */
export interface Report<R extends string> {
  rule: R;
  /** Only for rules whose severity is `Measured`. */
  severity?: Severity;
  /** The source of objectType, objectRef, box and colour. */
  object?: PageObject;
  /** Which colour of the object is reported. Default: fill. */
  colourOf?: 'fill' | 'stroke';
  objectType?: Finding['objectType'];
  objectRef?: string;
  resourceName?: string;
  box?: Rect;
  /** Of several places that are one finding: how many, and the first of them; `box` is around all. */
  count?: number;
  boxes?: readonly Rect[];
  quad?: readonly number[];
  side?: Finding['side'];
  measured?: Measure;
  limit?: Measure;
  params?: Finding['params'];
  fixableBy?: FixHint | null;
  standardRule?: string;
  /** 1-based. Default: the current page; null in the document part. */
  page?: number | null;
  /** Equal findings of several pages become one finding with a list of pages. */
  acrossPages?: boolean;
}
export type Reporter<K extends CheckKey> = (report: Report<RuleOf<K>>) => void;

interface ContextBase<K extends CheckKey> {
  readonly settings: SettingsOf<K>;
  readonly file: PdfFile;
  readonly profile: Pick<ProfileFrame, 'considerLayers' | 'scaleFactor' | 'viewingDistanceM' | 'unit'>;
  readonly report: Reporter<K>;
  /** Whether the profile reports a rule, so that a check can leave out work for rules that are off. */
  readonly isOn: (rule: RuleOf<K>) => boolean;
}

interface OnPage<K extends CheckKey> extends ContextBase<K> {
  readonly page: PageFacts;
  readonly area: PageArea;
}

export interface PageContext<K extends CheckKey> extends OnPage<K> {
  /** What lies under the current object. A check calls it before the page is read, because the grid is built only on request. */
  readonly inkBelow: () => Pick<InkGrid, 'isUnder' | 'kindsUnder'>;
}

/** Callbacks while a page is read; `end` returns plain data that can be cloned between threads. */
export interface PageWatch<Facts> {
  object?: (object: PageObject) => void;
  runBegin?: (event: RunEvent) => void;
  runEnd?: (event: RunEvent) => void;
  mark?: (event: MarkEvent) => void;
  syntax?: (event: SyntaxEvent) => void;
  end: () => Facts;
}

export interface PlatesContext<K extends CheckKey> extends OnPage<K> {
  readonly plates: PagePlates;
  /** Plates of parts of the page at a resolution of their own; the check releases them. */
  readonly closeUps: (parts: readonly Rect[], dpi: number) => Promise<readonly PagePlates[]>;
}

export interface DocumentContext<K extends CheckKey> extends ContextBase<K> {
  readonly pageCount: number;
  /** 1-based numbers of the pages to check, ascending. */
  readonly pages: readonly number[];
  readonly areaOf: (page: number) => PageArea;
  readonly variables: Variables;
  readonly renderTest: RenderTest;
  readonly signal: AbortSignal;
  /** Of the file that is checked. */
  readonly sha256: string;
  /** What this check remembered of the version before; undefined where there is none. Written by another run: not checked. */
  readonly before: unknown;
}

export type Summary = Finding['params'];

/**
 * How a check runs. `page` reads the content of a page, in a worker thread; `plates` reads its separations; `document`
 * runs last, once, and returns the measured values for the report.
 */
export interface CheckRunner<K extends CheckKey, PageResult = undefined, PlatesResult = undefined> {
  readonly page?: (context: PageContext<K>) => PageWatch<PageResult>;
  readonly plates?: {
    /** Resolution the check needs; null when its settings need no plates. */
    readonly dpi: (settings: SettingsOf<K>) => number | null;
    /** Whether a page has to be separated after what its content showed. Default: every page. */
    readonly needs?: (found: PageResult | undefined) => boolean;
    readonly look: (context: PlatesContext<K>, found: PageResult | undefined) => PlatesResult | Promise<PlatesResult>;
  };
  readonly document: (
    context: DocumentContext<K>,
    pages: readonly PageResults<PageResult, PlatesResult>[],
  ) => Summary | Promise<Summary>;
  /** What the next version of the file is compared with, as JSON; it is kept with the report. */
  readonly remembers?: (
    context: Pick<DocumentContext<K>, 'sha256' | 'pageCount'>,
    pages: readonly PageResults<PageResult, PlatesResult>[],
  ) => unknown;
}

/** What the parts of a check for a page returned. */
export interface PageResults<PageResult, PlatesResult> {
  page: number;
  found: PageResult | undefined;
  plates: PlatesResult | undefined;
}

/** A runner without the types of its page and plate results. */
export type AnyRunner<K extends CheckKey> = CheckRunner<K, unknown, unknown>;
/**
 * Defines a runner with typed results. The cast removes the result types: results are only passed from one function of a
 * runner to the next.
 */
export const checkRunner =
  <K extends CheckKey>() =>
  <PageResult = undefined, PlatesResult = undefined>(runner: CheckRunner<K, PageResult, PlatesResult>): AnyRunner<K> =>
    runner as unknown as AnyRunner<K>;
