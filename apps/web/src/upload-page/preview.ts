import { fileTypeOf } from '@pdf2press/contract';
import libraryUrl from 'pdfjs-dist/legacy/build/pdf.min.mjs?url';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

/** What the browser can tell of a file before anybody else has seen it. */
export interface Preview {
  pageCount: number | null;
  /** Of the first page as it is read, in points. */
  size: { width: number; height: number } | null;
  /** Address of the first page's picture. */
  picture: string | null;
  isLocked: boolean;
}

type Library = typeof import('pdfjs-dist');

/** Side of the picture in device pixels: twice that on the screen. */
const side = 128;
/** A file that takes longer is shown without a picture, milliseconds. */
const patience = 20_000;
/** Bytes read at once: only what the first page needs of a large file is read. */
const pieceBytes = 256 * 1024;

let loaded: Promise<Library> | undefined;
/** Asked for only after a file was added; files of its own, as large as the rest of the page. */
const library = (): Promise<Library> => {
  loaded ??= import(/* @vite-ignore */ libraryUrl).then((made: Library) => {
    made.GlobalWorkerOptions.workerSrc = workerUrl;
    return made;
  });
  return loaded;
};

const none: Preview = { pageCount: null, size: null, picture: null, isLocked: false };

async function pictureOf(page: Awaited<ReturnType<Awaited<ReturnType<Library['getDocument']>['promise']>['getPage']>>) {
  const whole = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: side / Math.max(whole.width, whole.height) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  await page.render({ canvas, viewport }).promise;
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  return picture && URL.createObjectURL(picture);
}

async function previewOfPdf(file: File): Promise<Preview> {
  const { getDocument, PDFDataRangeTransport } = await library();
  class FileRanges extends PDFDataRangeTransport {
    override requestDataRange(begin: number, end: number): void {
      void file
        .slice(begin, end)
        .arrayBuffer()
        .then((bytes) => this.onDataRange(begin, new Uint8Array(bytes)));
    }
  }
  const loading = getDocument({
    range: new FileRanges(file.size, null),
    rangeChunkSize: pieceBytes,
    disableAutoFetch: true,
    disableStream: true,
    // Nothing of the file is run, and nothing is asked of any server for it.
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    disableFontFace: true,
  });
  const timer = setTimeout(() => void loading.destroy(), patience);
  try {
    const pdf = await loading.promise;
    const page = await pdf.getPage(1);
    const { width, height } = page.getViewport({ scale: 1 });
    const facts = { pageCount: pdf.numPages, size: { width, height }, isLocked: false };
    return { ...facts, picture: await pictureOf(page).catch(() => null) };
  } catch (error) {
    return { ...none, isLocked: error instanceof Error && error.name === 'PasswordException' };
  } finally {
    clearTimeout(timer);
    void loading.destroy();
  }
}

let before: Promise<unknown> = Promise.resolve();

/** Looks at a file in this browser, one file at a time. A file that cannot be looked at has no preview: that is no fault. */
export function previewOf(file: File): Promise<Preview> {
  const type = fileTypeOf(file.name);
  if (type === 'JPEG' || type === 'PNG') return Promise.resolve({ ...none, picture: URL.createObjectURL(file) });
  if (type !== 'PDF') return Promise.resolve(none);
  const mine = before.then(() => previewOfPdf(file)).catch(() => none);
  before = mine;
  return mine;
}
