import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, holdAnswers, type Inspection } from '@pdf2press/contract';
import type { TaskTable } from '@pdf2press/tasks';
import type { StepContext, StepDone, StepEnds, StepFile, StepInput, StepPart, StepWaits } from '../step.ts';
import type { StepRunner, StepTools } from '../step-runner.ts';
import { drawThumbnails, picturesIn } from '../thumbnails.ts';
import type { InjectSettings, injectContract } from './contract.ts';
import type { MergedOfZip as Merged } from './merged.ts';

type Inject = StepContext<InjectSettings>;

const fromPicture = 'from-picture.pdf';
/** Sessions that one file may become. */
const maxParts = 1000;

type Inspected = TaskTable['inspect']['result'];

interface Received {
  inspection: Inspection;
  /** Of its pages, where they were asked for and could be drawn. */
  pictures: Inspected['pictures'];
  /** The PDF; another file than the one that came where that was a picture or a ZIP. */
  pdf: string;
  /** Path in the step's work directory of a PDF that was made of what came. */
  made?: string;
  merged?: Merged;
}

const pictureTypes = ['JPEG', 'PNG', 'TIFF'] as const;

/** Looks at a PDF, and draws its pages unless it may be divided: the parts have pictures of their own. */
async function look(
  { settings, session, workDir }: Inject,
  pdf: string,
  tools: StepTools,
): Promise<Pick<Received, 'inspection' | 'pictures' | 'pdf'>> {
  const isWhole = settings.splitting === 'file' || session.arrival.part?.pages !== undefined;
  const isDrawn = settings.drawThumbnails && isWhole;
  const params = { path: pdf, ...(isDrawn && { pictures: picturesIn(workDir) }) };
  const { pictures: drawn, ...inspection } = await tools.runTask('inspect', params);
  return { inspection, pictures: drawn, pdf };
}

/** Looks at the file; a picture is made a PDF first, and that is what the following steps work on. */
async function receive(
  context: Inject,
  file: Pick<StepInput, 'path' | 'name'>,
  made: string,
  tools: StepTools,
): Promise<Received> {
  const { settings, workDir } = context;
  try {
    return await look(context, file.path, tools);
  } catch (error) {
    const drawsPictures = pictureTypes.some((type) => settings.fileTypes.includes(type));
    if (!drawsPictures || !(error instanceof FileFaultError && error.code === 'PDF_NOT_PDF')) throw error;
    const pdf = path.join(workDir, made);
    const profile = { actions: [{ key: 'ImagesToPdf' }] };
    const params = { path: file.path, fileName: file.name, profile, out: pdf };
    const report = await tools.runTask('fix', params, { folder: 'fix' });
    // What only begins like a picture is no PDF all the same.
    if (!report.out) throw error;
    return { ...(await look(context, pdf, tools)), made };
  }
}

/** Whether a file begins as ZIPs do. The names of its entries are read by the child only. */
async function isZip(file: StepInput): Promise<boolean> {
  const handle = await open(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && ['504b0304', '504b0506'].includes(buffer.toString('hex'));
  } finally {
    await handle.close();
  }
}

const partsFolder = 'parts';
const mediaTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  tif: 'image/tiff',
  tiff: 'image/tiff',
};
const mediaTypeOf = (name: string): string =>
  mediaTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'image/jpeg';

/** @throws FileFaultError ZIP_EMPTY, and those of the task `unzip` */
async function unzip({ file, settings: { fileTypes: types } }: Inject, tools: StepTools, takesSidecars: boolean) {
  const params = { path: file.path, types: types.filter((type) => type !== 'ZIP'), takesSidecars };
  const unzipped = await tools.runTask('unzip', params, { folder: partsFolder });
  if (unzipped.files.length === 0) throw new FileFaultError('ZIP_EMPTY');
  return unzipped;
}

/** Each file of a ZIP goes on as a session of its own. */
async function unpack(context: Inject, tools: StepTools): Promise<StepEnds> {
  const { files, skipped } = await unzip(context, tools, context.settings.takesSidecars);
  const parts = files.map(
    ({ path: at, name, sidecar }): StepPart => ({
      path: path.join(partsFolder, at),
      name: name.slice(name.lastIndexOf('/') + 1),
      mediaType: mediaTypeOf(name),
      from: { entry: name },
      ...(sidecar && { sidecar }),
    }),
  );
  return { end: 'session', status: 'Completed', parts, summary: { parts: parts.length, skipped } };
}

const byName = new Intl.Collator('en', { numeric: true });
type Opened = Received & { name: string };

/**
 * The PDFs of one document in their order, each with the index of the file it comes from. @throws FileFaultError MERGE_COVER
 */
async function inOrder(
  opened: readonly Opened[],
  { settings, workDir }: Inject,
  tools: StepTools,
): Promise<{ path: string; from: number }[]> {
  const whole = opened.map(({ pdf }, from) => ({ path: pdf, from }));
  const [cover, ...inside] = opened;
  if (settings.mergeOrder !== 'cover' || !cover || inside.length === 0) return whole;
  const { pageCount: pages } = cover.inspection;
  if (pages % 2 === 1) throw new FileFaultError('MERGE_COVER', { name: cover.name, pages });
  const ranges: [number, number][] = [
    [1, pages / 2],
    [pages / 2 + 1, pages],
  ];
  const folder = 'cover';
  const { parts } = await tools.runTask('split', { path: cover.pdf, ranges }, { folder });
  const halves = parts.map(({ path: at }) => ({ path: path.join(workDir, folder, at), from: 0 }));
  return [...halves.slice(0, 1), ...whole.slice(1), ...halves.slice(1)];
}

/** Opens the files of a document. One that cannot be read fails the whole, which would lack pages. @throws MERGE_FILE */
async function openAll(context: Inject, files: readonly { path: string; name: string }[], tools: StepTools) {
  const opened: Opened[] = [];
  // Pictures are drawn of the whole.
  const partly = { ...context, settings: { ...context.settings, drawThumbnails: false } };
  for (const { path: at, name } of files) {
    const lies = path.join(partsFolder, at);
    const file = { path: path.join(context.workDir, lies), name };
    try {
      opened.push({ name, ...(await receive(partly, file, `${lies}.pdf`, tools)) });
    } catch (error) {
      if (!(error instanceof FileFaultError && error.code.startsWith('PDF_'))) throw error;
      throw new FileFaultError('MERGE_FILE', { name, reason: error.code, ...error.params }, { cause: error });
    }
  }
  return opened;
}

/** The files of a ZIP as one document. @throws FileFaultError MERGE_FILE, MERGE_COVER */
async function mergeZip(context: Inject, tools: StepTools): Promise<Received> {
  const { workDir, settings } = context;
  const { files, skipped } = await unzip(context, tools, false);
  const sorted = settings.mergeOrder === 'packed' ? files : [...files].sort((a, b) => byName.compare(a.name, b.name));
  const opened = await openAll(context, sorted, tools);
  const order = await inOrder(opened, context, tools);
  const inputs = order.map(({ path: input }) => ({ path: input }));
  const { path: made, otherIntents } = await tools.runTask('merge', { inputs });
  const others = new Set(otherIntents.map((input) => order[input]?.from));
  const pdf = path.join(workDir, made);
  const merged = opened.map(({ name, inspection }, from) => ({
    name,
    pages: inspection.pageCount,
    hasOtherIntent: others.has(from),
  }));
  return { ...(await look(context, pdf, tools)), made, merged: { files: merged, skipped } };
}

/** Whether a person should look at what was merged: files were left out, or are meant for other printing conditions. */
const needsALook = ({ files, skipped }: Merged): boolean =>
  skipped.length > 0 || files.some(({ hasOtherIntent }) => hasOtherIntent);

const padded = (page: number): string => String(page).padStart(3, '0');

/** Some pages each go on as a session of their own; undefined where the file has no more pages than one part. */
async function divide(
  { file, settings, session }: Inject,
  { inspection, pdf }: Received,
  tools: StepTools,
): Promise<StepEnds | undefined> {
  const { splitting, pagesPerPart } = settings;
  const { pageCount } = inspection;
  if (splitting === 'file' || session.arrival.part?.pages) return undefined;
  const each = { page: 1, pages: pagesPerPart, bookmarks: 1, emptyPages: 1 }[splitting];
  if (pageCount <= each) return undefined;
  const isAtContent = splitting === 'bookmarks' || splitting === 'emptyPages';
  const tooMany = (count: number) => count > maxParts;
  if (!isAtContent && tooMany(Math.ceil(pageCount / each)))
    throw new FileFaultError('SPLIT_LIMIT', { limit: maxParts });
  const way = isAtContent ? { at: splitting } : { pagesPerPart: each };
  const { parts } = await tools.runTask('split', { path: pdf, ...way }, { folder: partsFolder });
  if (tooMany(parts.length)) throw new FileFaultError('SPLIT_LIMIT', { limit: maxParts });
  // A file without bookmarks or empty pages goes on as it is, and so does one with nothing but empty pages.
  if (parts.length === 0 || parts.every(({ pages: [first, last] }) => last - first + 1 === pageCount)) return undefined;
  const { name: base } = path.parse(file.name);
  return {
    end: 'session',
    status: 'Completed',
    pageCount,
    parts: parts.map(({ path: at, pages }) => ({
      path: path.join(partsFolder, at),
      name: `${base}_p${pages[0] === pages[1] ? padded(pages[0]) : pages.map(padded).join('-')}.pdf`,
      mediaType: 'application/pdf',
      from: { ...(session.arrival.part?.entry !== undefined && { entry: session.arrival.part.entry }), pages },
    })),
    summary: { pageCount, parts: parts.length },
  };
}

/** What is kept of the file beside it: facts for the viewer, pictures of its pages, the PDF of a picture or a ZIP. */
async function filesOf(context: Inject, { inspection, pdf, made, pictures: drawnThere }: Received, tools: StepTools) {
  const { settings, file, workDir } = context;
  const ofMade = made === undefined ? {} : { ofPath: made };
  await writeFile(path.join(workDir, 'inspection.json'), JSON.stringify(inspection));
  const files: StepFile[] = [
    {
      kind: 'Others',
      path: 'inspection.json',
      name: 'inspection.json',
      mediaType: 'application/json',
      meta: { role: 'inspection', of: file.id },
      ...ofMade,
    },
  ];
  if (made !== undefined)
    files.push({
      kind: 'ProductionFile',
      path: made,
      name: `${path.parse(file.name).name}.pdf`,
      mediaType: 'application/pdf',
    });
  const drawn = settings.drawThumbnails
    ? await drawThumbnails(tools, { pdf, kind: 'OriginalFileThumbnails', of: file.id, pictures: drawnThere })
    : { files: [] };
  return { files: [...files, ...drawn.files], ...('fault' in drawn && { fault: drawn.fault }) };
}

/** How a session goes on that is not divided: its name may make it wait, once. */
function goOn({
  session,
}: Inject): Pick<StepDone<'done'>, 'end' | 'outcome'> | Pick<StepWaits<'done'>, 'end' | 'wait'> {
  return session.arrival.hasOtherName && session.runNo === 1
    ? { end: 'wait', wait: { kind: 'hold', allowed: [...holdAnswers], leavesBy: 'done' } }
    : { end: 'outcome', outcome: 'done' };
}

export const runInject: StepRunner<typeof injectContract> = async (context, tools) => {
  const { settings, file, session } = context;
  const isPacked = settings.fileTypes.includes('ZIP') && (await isZip(file));
  if (isPacked && settings.zips === 'sessions') return unpack(context, tools);
  const received = isPacked ? await mergeZip(context, tools) : await receive(context, file, fromPicture, tools);
  const divided = await divide(context, received, tools);
  if (divided) return divided;
  const { files, fault } = await filesOf(context, received, tools);
  const { inspection, made, merged } = received;
  const { pageCount } = inspection;
  const { duplicateOf, hasOtherName } = session.arrival;
  return {
    ...goOn(context),
    ...((duplicateOf !== undefined || (merged && needsALook(merged))) && { level: 'Warning' as const }),
    pageCount,
    files,
    summary: {
      pageCount,
      ...(made === fromPicture && { isFromPicture: true }),
      ...(merged && { merged }),
      ...(duplicateOf !== undefined && { duplicateOf }),
      ...(hasOtherName && { hasOtherName }),
      ...(fault !== undefined && { thumbnailsFault: fault }),
    },
  };
};
