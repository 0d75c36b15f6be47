import type { PreflightReport } from '@pdf2press/contract';
import type { AttachmentParams, AttachmentResult } from './attachment.ts';
import type { CertificateParams, CertificateResult } from './certificate.ts';
import type { FixParams, FixResult } from './fix.ts';
import type { FontParams, FontResult } from './font.ts';
import type { ImposeParams, ImposeTold } from './impose.ts';
import type { InspectParams, InspectResult } from './inspect.ts';
import type { LogoParams, LogoResult } from './logo.ts';
import type { MergeParams, MergeResult } from './merge.ts';
import type { NotesParams, NotesResult } from './notes.ts';
import type { PictureCopyParams, PictureCopyResult } from './picture-copy.ts';
import type { PlatesParams, PlatesResult } from './plates.ts';
import type { PreflightParams } from './preflight.ts';
import type { RenderParams, RenderResult } from './render.ts';
import type { ReportParams, ReportResult } from './report.ts';
import type { SplitParams, SplitResult } from './split.ts';
import type { ThumbnailsParams, ThumbnailsResult } from './thumbnails.ts';
import type { TilesParams, TilesResult } from './tiles.ts';
import type { UnlockParams, UnlockResult } from './unlock.ts';
import type { UnzipParams, UnzipResult } from './unzip.ts';

/**
 * Parameters and result of every task, both plain JSON. A new task needs a line here, a file `<task>.ts` that exports `run`,
 * and a line in `child.ts` (for a quick task in `quick-tasks.ts` and `quick-child.ts`), in `taskLimits` of `tasks.ts` and in
 * `task-files.ts`; without them it does not compile.
 */
export interface TaskTable {
  attachment: { params: AttachmentParams; result: AttachmentResult };
  certificate: { params: CertificateParams; result: CertificateResult };
  fix: { params: FixParams; result: FixResult };
  font: { params: FontParams; result: FontResult };
  impose: { params: ImposeParams; result: ImposeTold };
  inspect: { params: InspectParams; result: InspectResult };
  logo: { params: LogoParams; result: LogoResult };
  merge: { params: MergeParams; result: MergeResult };
  notes: { params: NotesParams; result: NotesResult };
  pictureCopy: { params: PictureCopyParams; result: PictureCopyResult };
  preflight: { params: PreflightParams; result: PreflightReport };
  plates: { params: PlatesParams; result: PlatesResult };
  report: { params: ReportParams; result: ReportResult };
  render: { params: RenderParams; result: RenderResult };
  split: { params: SplitParams; result: SplitResult };
  thumbnails: { params: ThumbnailsParams; result: ThumbnailsResult };
  tiles: { params: TilesParams; result: TilesResult };
  unlock: { params: UnlockParams; result: UnlockResult };
  unzip: { params: UnzipParams; result: UnzipResult };
}
export type TaskName = keyof TaskTable;
