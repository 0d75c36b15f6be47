import { useMemo } from 'react';
import type { FileVersion, PageSource } from '../viewer/page-source.ts';
import { sessionSource } from './session-source.ts';

/** The same object for the same file, so that nothing is drawn twice. */
export const useSessionSource = (id: string, version: FileVersion, sha256 = ''): PageSource =>
  useMemo(() => sessionSource(id, version, sha256), [id, version, sha256]);
