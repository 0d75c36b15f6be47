import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, type Inspection } from '@pdf2press/contract';
import type { StepFile, StepInput } from '../step.ts';
import type { StepRunner, StepTools } from '../step-runner.ts';
import { drawThumbnails } from '../thumbnails.ts';
import type { injectContract } from './contract.ts';

const made = 'from-picture.pdf';

interface Received {
  inspection: Inspection;
  /** The PDF; another file than the one that came where that was a picture. */
  pdf: string;
  isDrawn: boolean;
}

/** Looks at the file; a picture is made a PDF first, and that is what the following steps work on. */
async function receive(file: StepInput, workDir: string, drawsPictures: boolean, tools: StepTools): Promise<Received> {
  try {
    return { inspection: await tools.runTask('inspect', { path: file.path }), pdf: file.path, isDrawn: false };
  } catch (error) {
    if (!drawsPictures || !(error instanceof FileFaultError && error.code === 'PDF_NOT_PDF')) throw error;
    const pdf = path.join(workDir, made);
    const profile = { actions: [{ key: 'ImagesToPdf' }] };
    const params = { path: file.path, fileName: file.name, profile, out: pdf };
    const report = await tools.runTask('fix', params, { folder: 'fix' });
    // What only begins like a picture is no PDF all the same.
    if (!report.out) throw error;
    return { inspection: await tools.runTask('inspect', { path: pdf }), pdf, isDrawn: true };
  }
}

export const runInject: StepRunner<typeof injectContract> = async ({ settings, file, workDir }, tools) => {
  const { inspection, pdf, isDrawn } = await receive(file, workDir, settings.imagesToPdf, tools);
  const { pageCount } = inspection;
  await writeFile(path.join(workDir, 'inspection.json'), JSON.stringify(inspection));
  const files: StepFile[] = [
    {
      kind: 'Others',
      path: 'inspection.json',
      name: 'inspection.json',
      mediaType: 'application/json',
      meta: { role: 'inspection', of: file.id },
    },
  ];
  if (isDrawn)
    files.push({
      kind: 'ProductionFile',
      path: made,
      name: `${path.parse(file.name).name}.pdf`,
      mediaType: 'application/pdf',
    });
  const drawn = settings.drawThumbnails
    ? await drawThumbnails(tools, { pdf, pageCount, kind: 'OriginalFileThumbnails', of: file.id })
    : { files: [] };
  files.push(...drawn.files);
  return {
    end: 'outcome',
    outcome: 'done',
    pageCount,
    files,
    summary: {
      pageCount,
      ...(isDrawn && { isFromPicture: true }),
      ...('fault' in drawn && { thumbnailsFault: drawn.fault }),
    },
  };
};
