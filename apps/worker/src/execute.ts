import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ExecuteStep } from '@pdf2press/engine';
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
