import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StepFile } from '../step.ts';
import type { StepRunner } from '../step-runner.ts';
import { drawThumbnails } from '../thumbnails.ts';
import type { injectContract } from './contract.ts';

export const runInject: StepRunner<typeof injectContract> = async ({ settings, file, workDir }, tools) => {
  const inspection = await tools.runTask('inspect', { path: file.path });
  const { pageCount } = inspection;
  await writeFile(path.join(workDir, 'inspection.json'), JSON.stringify(inspection));
  const kept: StepFile = {
    kind: 'Others',
    path: 'inspection.json',
    name: 'inspection.json',
    mediaType: 'application/json',
    meta: { role: 'inspection', of: file.id },
  };
  const drawn = settings.drawThumbnails
    ? await drawThumbnails(tools, { pdf: file.path, pageCount, kind: 'OriginalFileThumbnails', of: file.id })
    : { files: [] };
  return {
    end: 'outcome',
    outcome: 'done',
    pageCount,
    files: [kept, ...drawn.files],
    summary: { pageCount, ...('fault' in drawn && { thumbnailsFault: drawn.fault }) },
  };
};
