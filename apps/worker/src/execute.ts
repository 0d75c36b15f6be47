import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import type { DrawTiles, EngineLog, ExecuteStep, MakeReport } from '@pdf2press/engine';
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
  /** Makes a preflight report for people. */
  makeReport: MakeReport;
} {
  const run: typeof runTask = async (task, params, options) => {
    try {
      return await runTask(task, params, { timeFactor, ...options });
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
      const { pages } = await run('tiles', { path: pdf, pages: [page] }, { workDir, signal });
      const [drawn] = pages;
      if (!drawn) throw new FileFaultError('INTERNAL', { page });
      return { folder: path.join(workDir, String(page)), page: drawn };
    },
    makeReport: async ({ pdf, report, format, locale, unit, workDir, signal }) => {
      const params = { path: pdf, reportPath: report, format, locale, unit };
      const { name } = await run('report', params, { workDir, signal });
      return path.join(workDir, name);
    },
  };
}
