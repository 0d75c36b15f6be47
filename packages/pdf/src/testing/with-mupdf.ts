/** Loads MuPDF before the tests of this room, which import its modules past the door that loads it. */
import { loadMupdf } from '../open/mupdf.ts';

await loadMupdf();
