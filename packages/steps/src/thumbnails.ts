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

type Thumbnails = TaskTable['thumbnails']['result'];

interface Pictured {
  /** Absolute path of the PDF. */
  pdf: string;
  kind: 'OriginalFileThumbnails' | 'ProductionFileThumbnails';
  /** Those that the task drew that made the PDF or looked at it. Without them, they are drawn in a process of their own. */
  pictures: Thumbnails | undefined;
}

/** Small pictures of the first pages of a PDF; `of` is the file's id. */
export async function drawThumbnails(tools: StepTools, { of, ...pictured }: Pictured & { of: string }): Promise<Drawn> {
  return (await draw(tools, pictured, { meta: { of } })).drawn;
}

/** Folder of the pictures in the step's work directory. */
const folder = 'thumbnails';

/** What a task is asked for that draws pictures of the PDF it makes or looks at. */
export const picturesIn = (workDir: string): { folder: string; most: number } => ({
  folder: path.join(workDir, folder),
  most,
});

interface Made extends Pick<Pictured, 'pictures'> {
  workDir: string;
  /** The PDF's path in the step's work directory. */
  made: string;
}

/** Small pictures of the first pages of a PDF that the step made, and the list of all its pages for the viewer. */
export async function drawMade(tools: StepTools, { workDir, made, pictures }: Made): Promise<StepFile[]> {
  const pictured = { pdf: path.join(workDir, made), kind: 'ProductionFileThumbnails', pictures } as const;
  const { drawn, list } = await draw(tools, pictured, { ofPath: made });
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
  { pdf, kind, pictures }: Pictured,
  belongs: Belongs,
): Promise<{ drawn: Drawn; list?: PageList }> {
  try {
    const drawn = pictures ?? (await tools.runTask('thumbnails', { path: pdf, most }, { folder }));
    return { drawn: { files: filesOf(drawn, kind, belongs) }, list: drawn.list };
  } catch (error) {
    if (error instanceof FileFaultError && error.code.startsWith('PDF_'))
      return { drawn: { files: [], fault: error.code } };
    throw error;
  }
}
