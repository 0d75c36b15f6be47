import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import type {
  DrawPictures,
  DrawTiles,
  EngineLog,
  ExecuteStep,
  ListPages,
  MakeCertificate,
  MakeNotesCopy,
  MakePictureCopy,
  MakeReport,
} from '@pdf2press/engine';
import { traced } from '@pdf2press/engine/tracing';
import { heavyLimits } from '@pdf2press/pdf/limited';
import { runStep } from '@pdf2press/steps/runners';
import { runTask } from '@pdf2press/tasks';

export interface ExecuteOptions {
  /** Multiplies the time limits of work on one PDF. */
  timeFactor: number;
  log: (line: EngineLog) => void;
}

/** Runs steps by their kinds' runners, and effects on PDFs. PDFs are opened in child processes only. */
export function createExecute({ timeFactor, log }: ExecuteOptions): {
  /** In the heavy lane with higher limits. */
  execute: ExecuteStep;
  /** Renders the viewer's tiles of one page. */
  drawTiles: DrawTiles;
  /** Lists the pages of a file. */
  listPages: ListPages;
  /** Draws small pictures of all pages. */
  drawPictures: DrawPictures;
  /** Makes a preflight report for people. */
  makeReport: MakeReport;
  /** Makes the PDF of a certificate, not signed yet. */
  makeCertificate: MakeCertificate;
  /** Writes the notes on a proof into a copy of its file. */
  makeNotesCopy: MakeNotesCopy;
  /** Draws the pages of a proof's file into a copy. */
  makePictureCopy: MakePictureCopy;
} {
  const run: typeof runTask = async (task, params, options) => {
    try {
      return await traced({ name: `child ${task}` }, () => runTask(task, params, { timeFactor, ...options }));
    } catch (error) {
      // The caller stores only the code; the child's last output is logged for the operator.
      if (error instanceof FileFaultError && error.code === 'PDF_CRASH') {
        const lastWords = error.cause instanceof Error ? error.cause.message : '';
        log({ level: 'error', event: 'task.crashed', data: { task, ...error.params, lastWords } });
      }
      throw error;
    }
  };
  return {
    execute: (context, { isHeavy, onProgress }) =>
      runStep(context, {
        progress: onProgress,
        runTask: async (task, params, { folder = '.' } = {}) => {
          const workDir = path.join(context.workDir, folder);
          await mkdir(workDir, { recursive: true });
          const { signal } = context;
          return run(task, params, { workDir, signal, onProgress, ...(isHeavy && { limits: heavyLimits }) });
        },
      }),
    drawTiles: async ({ pdf, page, workDir, signal }) => {
      const { pages, list } = await run('tiles', { path: pdf, pages: [page] }, { workDir, signal });
      const [drawn] = pages;
      if (!drawn) throw new FileFaultError('INTERNAL', { page });
      return { folder: path.join(workDir, String(page)), page: drawn, list };
    },
    listPages: async ({ pdf, workDir, signal }) =>
      (await run('tiles', { path: pdf, pages: [] }, { workDir, signal })).list,
    drawPictures: async ({ pdf, workDir, signal }) => {
      const { thumbnails } = await run('thumbnails', { path: pdf }, { workDir, signal });
      return thumbnails.map(({ page, file }) => ({ page, file: file && path.join(workDir, file) }));
    },
    makeReport: async ({ pdf, report, house, fixReports, sheets, format, locale, unit, timeZone, workDir, signal }) => {
      const { logo, ...named } = house;
      const params = {
        ...{ path: pdf, reportPath: report, format, locale, unit, fixReportPaths: fixReports },
        ...(timeZone !== null && { timeZone }),
        house: { ...named, logoPath: logo },
        ...(sheets !== null && { sheetsPath: sheets }),
      };
      const { name } = await run('report', params, { workDir, signal });
      return path.join(workDir, name);
    },
    makeCertificate: async ({ pdf, record, house, locale, workDir, signal }) => {
      const { logo, ...named } = house;
      const params = { path: pdf, recordPath: record, locale, house: { ...named, logoPath: logo } };
      const { name } = await run('certificate', params, { workDir, signal });
      return path.join(workDir, name);
    },
    makeNotesCopy: async ({ pdf, notes, workDir, signal }) => {
      const { name } = await run('notes', { path: pdf, notesPath: notes }, { workDir, signal });
      return path.join(workDir, name);
    },
    makePictureCopy: async ({ pdf, dpi, watermark, format, workDir, signal }) => {
      const { name } = await run('pictureCopy', { path: pdf, dpi, watermark, format }, { workDir, signal });
      return path.join(workDir, name);
    },
  };
}
