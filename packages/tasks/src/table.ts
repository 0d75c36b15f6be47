import type { Inspection, PreflightReport } from '@pdf2press/contract';
import type { FixParams, FixResult } from './fix.ts';
import type { ImposeParams, ImposeResult } from './impose.ts';
import type { PlatesParams, PlatesResult } from './plates.ts';
import type { PreflightParams } from './preflight.ts';
import type { RenderParams, RenderResult } from './render.ts';
import type { ReportParams, ReportResult } from './report.ts';
import type { PdfInput } from './task.ts';
import type { ThumbnailsParams, ThumbnailsResult } from './thumbnails.ts';
import type { TilesParams, TilesResult } from './tiles.ts';

/**
 * Parameters and result of every task, both plain JSON. A new task needs a line here, a file `<task>.ts` that exports `run`,
 * and a line in `child.ts` and in `taskLimits` of `tasks.ts`; without them it does not compile.
 */
export interface TaskTable {
  fix: { params: FixParams; result: FixResult };
  impose: { params: ImposeParams; result: ImposeResult };
  inspect: { params: PdfInput; result: Inspection };
  preflight: { params: PreflightParams; result: PreflightReport };
  plates: { params: PlatesParams; result: PlatesResult };
  report: { params: ReportParams; result: ReportResult };
  render: { params: RenderParams; result: RenderResult };
  thumbnails: { params: ThumbnailsParams; result: ThumbnailsResult };
  tiles: { params: TilesParams; result: TilesResult };
}
export type TaskName = keyof TaskTable;
