/** What a check is given and what it gives back. */
import type { Finding, Measure, Severity } from '@pdf2press/contract';
import type { MarkEvent, PageFacts, PagePlates, PdfFile, Rect, RunEvent, SyntaxEvent } from '@pdf2press/pdf';
import type { z } from 'zod';
import type { FixContractOf, FixKey } from '../fixes/contracts.ts';
import type { Variables } from '../preflight/expression.ts';
import type { InkGrid } from '../preflight/ink-grid.ts';
import type { PageArea } from '../preflight/page-area.ts';
import type { PreflightProfile } from '../preflight/profile.ts';
import type { PageObject } from '../preflight/scene.ts';
import type { RenderTest } from '../preflight/services.ts';
import type { CheckKey, RuleOf, SettingsOf } from './contracts.ts';

/** A fix that would help, and what it would be set to besides its defaults. */
export type FixHint = { [K in FixKey]: { action: K; params: z.input<FixContractOf<K>['settings']> } }[FixKey];

/** One place where a rule is broken. What is left out is filled in from the object and from the profile. */
export interface Report<R extends string> {
  rule: R;
  /** For rules whose severity is `Measured`; others take the profile's. */
  severity?: Severity;
  /** Gives objectType, objectRef, box and colour. */
  object?: PageObject;
  /** Colour to tell: the object's fill unless said. */
  colourOf?: 'fill' | 'stroke';
  objectType?: Finding['objectType'];
  objectRef?: string;
  resourceName?: string;
  box?: Rect;
  quad?: readonly number[];
  side?: Finding['side'];
  measured?: Measure;
  limit?: Measure;
  params?: Finding['params'];
  fixableBy?: FixHint | null;
  standardRule?: string;
  /** 1-based; the page being looked at unless said, null in a document part. */
  page?: number | null;
  /** Equal findings of all pages become one, with the list of pages. */
  acrossPages?: boolean;
}
export type Reporter<K extends CheckKey> = (report: Report<RuleOf<K>>) => void;

interface ContextBase<K extends CheckKey> {
  readonly settings: SettingsOf<K>;
  readonly file: PdfFile;
  readonly profile: ProfileFrame;
  readonly report: Reporter<K>;
  /** Severity a rule reports with; 'Off' lets a check save the work. */
  readonly isOn: (rule: RuleOf<K>) => boolean;
}
/** What of the profile a check may need beside its own settings. */
export type ProfileFrame = Pick<PreflightProfile, 'considerLayers' | 'scaleFactor' | 'viewingDistanceM' | 'unit'>;

interface OnPage<K extends CheckKey> extends ContextBase<K> {
  readonly page: PageFacts;
  readonly area: PageArea;
}

export interface PageContext<K extends CheckKey> extends OnPage<K> {
  /** What lies under the object being looked at. To be asked for before the walk: it is only kept for checks that want it. */
  readonly inkBelow: () => Pick<InkGrid, 'isUnder' | 'kindsUnder'>;
}

/** What a check listens to while its page is walked, and the facts it has in the end (plain, cloneable). */
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
}

export interface DocumentContext<K extends CheckKey> extends ContextBase<K> {
  readonly pageCount: number;
  /** Pages the check is to look at, ascending. */
  readonly pages: readonly number[];
  readonly areaOf: (page: number) => PageArea;
  readonly variables: Variables;
  readonly renderTest: RenderTest;
  readonly signal: AbortSignal;
}

export type Summary = Finding['params'];

/**
 * How a check runs. `page` walks content and runs in a worker thread; `plates` looks at a page's separations;
 * `document` draws the sum and tells what was measured, also when nothing is wrong.
 */
export interface CheckRunner<K extends CheckKey, PageResult = undefined, PlatesResult = undefined> {
  readonly page?: (context: PageContext<K>) => PageWatch<PageResult>;
  readonly plates?: {
    /** Resolution of the plates it wants; null when its settings need none. */
    readonly dpi: (settings: SettingsOf<K>) => number | null;
    readonly look: (context: PlatesContext<K>, found: PageResult | undefined) => PlatesResult;
  };
  readonly document: (
    context: DocumentContext<K>,
    pages: readonly {
      page: number;
      found: PageResult | undefined;
      plates: PlatesResult | undefined;
    }[],
  ) => Summary | Promise<Summary>;
}

/** Only the table of runners needs to forget what facts a check keeps for itself. */
export type AnyRunner<K extends CheckKey> = CheckRunner<K, unknown, unknown>;
export const checkRunner =
  <K extends CheckKey>() =>
  <PageResult = undefined, PlatesResult = undefined>(runner: CheckRunner<K, PageResult, PlatesResult>): AnyRunner<K> =>
    runner as unknown as AnyRunner<K>;
