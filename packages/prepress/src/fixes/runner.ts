/** What an action is given and what it may do. */
import type { FixChange } from '@pdf2press/contract';
import type { ColourService, PageFacts, PdfEditor, PdfFile, Rect, RenderService } from '@pdf2press/pdf';
import type { FixObjectFilter } from '../fix/profile.ts';
import type { Variables } from '../preflight/expression.ts';
import type { FixKey, FixSettingsOf } from './contracts.ts';

export type LoggedChange = Pick<FixChange, 'what'> &
  Partial<Pick<FixChange, 'page' | 'object' | 'before' | 'after' | 'parameter' | 'params' | 'thumbnail' | 'count'>> & {
    box?: Rect;
    /** The box only says where: the place looks as it did, and is judged by that. */
    looksSame?: boolean;
  };

/** Where the work may look different, beyond the boxes of logged changes. */
export interface FixContext<K extends FixKey = FixKey> {
  readonly settings: FixSettingsOf<K>;
  /** The working copy; nothing done to it reaches the file on disk. */
  readonly file: PdfFile;
  readonly edit: PdfEditor;
  /** Pages the action is for, ascending, 1-based. */
  readonly pages: readonly number[];
  readonly pageFacts: readonly PageFacts[];
  /** Whether the profile lets the action touch this kind of object. */
  readonly touches: (kind: FixObjectFilter) => boolean;
  readonly log: (change: LoggedChange) => void;
  /** A place that will look different as a consequence, though nothing there is changed itself. */
  readonly declare: (page: number, box: Rect) => void;
  readonly warn: (code: string, params?: FixChange['params']) => void;
  readonly colour: () => Promise<ColourService>;
  /** Pictures and plates of the file as the action found it. */
  readonly render: () => RenderService;
  readonly fileName: string;
  readonly variables: Variables;
  readonly now: Date;
  readonly workDir: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export type FixRunner<K extends FixKey> = (context: FixContext<K>) => void | Promise<void>;

/** Thrown by an action that cannot or need not go on: `reasons.<code>` of its messages says why. */
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
