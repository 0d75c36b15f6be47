import path from 'node:path';
import { FileFaultError, type FontFileFacts, fontsNamed } from '@pdf2press/contract';
import { type FontProgram, openFontProgram, readFontFile } from '@pdf2press/pdf';

export interface LibraryFont extends FontFileFacts {
  readonly open: () => FontProgram;
}

/** The fonts of a house: files, of which only those that are used are read whole. */
export interface FontLibrary {
  /** Fonts that bear a name as a PDF writes it, best first. */
  readonly named: (name: string) => LibraryFont[];
  /** Names of files that are no fonts. */
  readonly unreadable: () => string[];
}

/** @param paths absolute */
export function createFontLibrary(paths: readonly string[]): FontLibrary {
  let read: { fonts: LibraryFont[]; unreadable: string[] } | null = null;
  const library = () => (read ??= readAll(paths));
  return {
    named: (name) => fontsNamed(library().fonts, name),
    unreadable: () => library().unreadable,
  };
}

function readAll(paths: readonly string[]): { fonts: LibraryFont[]; unreadable: string[] } {
  const fonts: LibraryFont[] = [];
  const unreadable: string[] = [];
  for (const file of paths) {
    try {
      const facts = readFontFile(file);
      let program: FontProgram | null = null;
      fonts.push({ ...facts, open: () => (program ??= openFontProgram(file)) });
    } catch (error) {
      if (!(error instanceof FileFaultError)) throw error;
      unreadable.push(path.basename(file));
    }
  }
  return { fonts, unreadable };
}
