/** Types of an action's runner, and the error by which it stops. */
import type { FixChange } from '@pdf2press/contract';
import type { ColourService, PageFacts, PdfEditor, PdfFile, PictureKind, Rect, RenderService } from '@pdf2press/pdf';
import type { Variables } from '@pdf2press/settings';
import type { z } from 'zod';
import type { FixContract, FixObjectFilter } from './define-fix.ts';
import type { FontLibrary } from './font-library.ts';

export type LoggedChange = Pick<FixChange, 'what'> &
  Partial<Pick<FixChange, 'page' | 'object' | 'before' | 'after' | 'parameter' | 'params' | 'thumbnail' | 'count'>> & {
    box?: Rect;
    /** The box tells only where the change is; the place looks the same and is compared by the gate. */
    looksSame?: boolean;
  };

type HasSettings = Pick<FixContract, 'settings'>;
type SettingsOf<C extends HasSettings> = z.output<C['settings']>;

/** What the action with the contract `C` gets to work with. */
export interface FixContext<C extends HasSettings = HasSettings> {
  readonly settings: SettingsOf<C>;
  /** The working copy; changes are made through `edit` and never reach the original. */
  readonly file: PdfFile;
  readonly edit: PdfEditor;
  /** Pages to act on, ascending, 1-based. */
  readonly pages: readonly number[];
  readonly pageFacts: readonly PageFacts[];
  /** Whether the profile allows changing objects of this kind. */
  readonly touches: (kind: FixObjectFilter) => boolean;
  readonly log: (change: LoggedChange) => void;
  /** Declares a place that will look different although nothing is changed there (default user space, points). */
  readonly declare: (page: number, box: Rect) => void;
  readonly warn: (code: string, params?: FixChange['params']) => void;
  readonly colour: () => Promise<ColourService>;
  /** Renders pictures and plates of the file as it was before the action. */
  readonly render: () => RenderService;
  readonly fileName: string;
  readonly variables: Variables;
  /** Fonts that the house has. */
  readonly fonts: FontLibrary;
  readonly now: Date;
  readonly workDir: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export type FixRunner<C extends HasSettings> = (context: FixContext<C>) => void | Promise<void>;

/** A picture that is converted to a PDF. */
export interface PictureJob<C extends HasSettings = HasSettings> {
  path: string;
  kind: PictureKind;
  /** Path of the PDF to write. */
  out: string;
  settings: SettingsOf<C>;
  log: (change: LoggedChange) => void;
  warn: (code: string, params: FixChange['params']) => void;
}

/** Exports of an action's `run.ts`. */
export interface FixModule<C extends HasSettings> {
  run: FixRunner<C>;
  /**
   * Converts a picture to a PDF; only for actions whose contract says `reads: 'picture'`.
   * @throws FixStop `pictureUnreadable`
   */
  toPdf?: (job: PictureJob<C>) => Promise<void>;
}

/** Thrown by an action that cannot or need not continue. The reason is the message `reasons.<code>` of the action. */
export class FixStop extends Error {
  readonly outcome: 'Failed' | 'Skipped';
  readonly code: string;
  readonly params: FixChange['params'];
  constructor(outcome: 'Failed' | 'Skipped', code: string, params: FixChange['params'] = {}) {
    super(code);
    this.name = 'FixStop';
    this.outcome = outcome;
    this.code = code;
    this.params = params;
  }
}
export const failed = (code: string, params?: FixChange['params']): FixStop => new FixStop('Failed', code, params);
