import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import type { StepFile } from './step.ts';
import type { StepTools } from './step-runner.ts';

/** Pictures of pages that are drawn with the file; the rest when somebody looks at them. */
const maxPages = 50;

interface Drawn {
  files: StepFile[];
  /** Why none could be drawn; a file without pictures is still a file. */
  fault?: string;
}

interface Pictured {
  /** Absolute path of the PDF. */
  pdf: string;
  pageCount: number;
  kind: 'OriginalFileThumbnails' | 'ProductionFileThumbnails';
  /** Id of the file, where it has one already; else its path in the step's work directory. */
  of?: string;
  ofPath?: string;
}

/** Small pictures of the first pages of a PDF. */
export async function drawThumbnails(tools: StepTools, { pdf, pageCount, kind, of, ofPath }: Pictured): Promise<Drawn> {
  const pages = Array.from({ length: Math.min(pageCount, maxPages) }, (_, index) => index + 1);
  try {
    const { thumbnails } = await tools.runTask('thumbnails', { path: pdf, pages }, { folder: 'thumbnails' });
    const files = thumbnails.flatMap(({ page, file, width, height }): StepFile[] =>
      file
        ? [
            {
              kind,
              page,
              path: path.join('thumbnails', file),
              name: `${page}.webp`,
              mediaType: 'image/webp',
              meta: { role: 'thumbnail', ...(of && { of }), width, height },
              ...(ofPath && { ofPath }),
            },
          ]
        : [],
    );
    return { files };
  } catch (error) {
    if (error instanceof FileFaultError && error.code.startsWith('PDF_')) return { files: [], fault: error.code };
    throw error;
  }
}
