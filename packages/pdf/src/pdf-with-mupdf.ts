/** The door for programs that are not a bundle: all of the package, with MuPDF loaded before anything can ask for it. */
import { loadMupdf } from './open/mupdf.ts';

export * from './pdf.ts';

await loadMupdf();
