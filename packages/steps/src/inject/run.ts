import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StepRunner } from '../step-runner.ts';
import type { injectContract } from './contract.ts';

export const runInject: StepRunner<typeof injectContract> = async ({ file, workDir }, tools) => {
  const inspection = await tools.runTask('inspect', { path: file.path });
  await writeFile(path.join(workDir, 'inspection.json'), JSON.stringify(inspection));
  return {
    end: 'outcome',
    outcome: 'done',
    pageCount: inspection.pageCount,
    summary: { pageCount: inspection.pageCount },
    files: [
      {
        kind: 'Others',
        path: 'inspection.json',
        name: 'inspection.json',
        mediaType: 'application/json',
        meta: { role: 'inspection', of: file.id },
      },
    ],
  };
};
