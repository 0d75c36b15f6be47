import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import type { DrawTiles, ExecuteStep, MakeReport } from '@pdf2press/engine';
import { heavyLimits } from '@pdf2press/pdf/limited';
import { runTask } from '@pdf2press/prepress/runners';
import { runStep } from '@pdf2press/steps/runners';

/** Runs a step by its kind's runner; PDFs are opened in its child processes only, with larger limits in the heavy lane. */
export const execute: ExecuteStep = (context, { isHeavy, onProgress }) =>
  runStep(context, {
    progress: onProgress,
    runTask: async (task, params, { folder = '.' } = {}) => {
      const workDir = path.join(context.workDir, folder);
      await mkdir(workDir, { recursive: true });
      const { signal } = context;
      return runTask(task, params, { workDir, signal, onProgress, ...(isHeavy && { limits: heavyLimits }) });
    },
  });

/** Draws the viewer's rasters of one page in a child process. */
export const drawTiles: DrawTiles = async ({ pdf, page, workDir, signal }) => {
  const { pages } = await runTask('tiles', { path: pdf, pages: [page] }, { workDir, signal });
  const [drawn] = pages;
  if (!drawn) throw new FileFaultError('INTERNAL', { page });
  return { folder: path.join(workDir, String(page)), page: drawn };
};

/** Makes a preflight report for people in a child process. */
export const makeReport: MakeReport = async ({ pdf, report, format, locale, unit, workDir, signal }) => {
  const { name } = await runTask(
    'report',
    { path: pdf, reportPath: report, format, locale, unit },
    { workDir, signal },
  );
  return path.join(workDir, name);
};
