import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, type PageList } from '@pdf2press/contract';
import type { TaskTable } from '@pdf2press/tasks';
import type { StepFile } from './step.ts';
import type { StepTools } from './step-runner.ts';

/** Pictures of pages that are drawn with the file; the rest when somebody looks at them. */
const most = 50;

interface Drawn {
  files: StepFile[];
  /** Why none could be drawn; a file without pictures is still a file. */
  fault?: string;
}

interface Pictured {
  /** Absolute path of the PDF. */
  pdf: string;
  kind: 'OriginalFileThumbnails' | 'ProductionFileThumbnails';
  /** Id of the file. */
  of: string;
  /** Those that the task drew that looked at the PDF. Without them, they are drawn in a process of their own. */
  pictures: Thumbnails | undefined;
}

/** Small pictures of the first pages of a PDF. */
export async function drawThumbnails(tools: StepTools, { pdf, kind, of, pictures }: Pictured): Promise<Drawn> {
  if (pictures) return { files: filesOf(pictures, kind, { meta: { of } }) };
  return (await draw(tools, pdf, kind, { meta: { of } })).drawn;
}

/** Folder of the pictures in the step's work directory. */
const folder = 'thumbnails';

/** What a task is asked for that draws pictures of the PDF it makes or looks at. */
export const picturesIn = (workDir: string): { folder: string; most: number } => ({
  folder: path.join(workDir, folder),
  most,
});

type Thumbnails = TaskTable['thumbnails']['result'];

interface Made {
  workDir: string;
  /** The PDF's path in the step's work directory. */
  made: string;
  /** Those that the task drew that made the PDF. Without them, they are drawn in a process of their own. */
  pictures: Thumbnails | undefined;
}

/** Small pictures of the first pages of a PDF that the step made, and the list of all its pages for the viewer. */
export async function drawMade(tools: StepTools, { workDir, made, pictures }: Made): Promise<StepFile[]> {
  const pdf = path.join(workDir, made);
  const { drawn, list } = pictures
    ? { drawn: { files: filesOf(pictures, 'ProductionFileThumbnails', { ofPath: made }) }, list: pictures.list }
    : await draw(tools, pdf, 'ProductionFileThumbnails', { ofPath: made });
  if (!list) return drawn.files;
  await writeFile(path.join(workDir, 'pages.json'), JSON.stringify(list));
  const mediaType = 'application/json';
  return [
    { kind: 'Others', path: 'pages.json', name: 'pages.json', mediaType, meta: { role: 'pages' }, ofPath: made },
    ...drawn.files,
  ];
}

type Belongs = Pick<StepFile, 'ofPath'> & { meta?: object };

const filesOf = ({ thumbnails }: Thumbnails, kind: Pictured['kind'], { meta, ofPath }: Belongs): StepFile[] =>
  thumbnails.flatMap(({ page, file, width, height }): StepFile[] =>
    file
      ? [
          {
            kind,
            page,
            path: path.join(folder, file),
            name: `${page}.webp`,
            mediaType: 'image/webp',
            meta: { role: 'thumbnail', ...meta, width, height },
            ...(ofPath && { ofPath }),
          },
        ]
      : [],
  );

async function draw(
  tools: StepTools,
  pdf: string,
  kind: Pictured['kind'],
  belongs: Belongs,
): Promise<{ drawn: Drawn; list?: PageList }> {
  try {
    const drawn = await tools.runTask('thumbnails', { path: pdf, most }, { folder });
    return { drawn: { files: filesOf(drawn, kind, belongs) }, list: drawn.list };
  } catch (error) {
    if (error instanceof FileFaultError && error.code.startsWith('PDF_'))
      return { drawn: { files: [], fault: error.code } };
    throw error;
  }
}
