import type { LibraryFont } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const fontColumns: Columns<LibraryFont> = {
  id: ({ id }) => id,
  family: ({ family }) => family,
  style: ({ style }) => style,
  fullName: ({ fullName }) => fullName,
  postScriptName: ({ postScriptName }) => postScriptName,
  kind: ({ kind }) => kind,
  glyphCount: ({ glyphCount }) => glyphCount,
  embedding: ({ embedding }) => embedding,
  isSubsettingForbidden: ({ isSubsettingForbidden }) => isSubsettingForbidden,
  fileName: ({ fileName }) => fileName,
  size: ({ size }) => size,
  createdAt: ({ createdAt }) => createdAt,
  createdBy: ({ createdBy }) => createdBy,
  lastUsedAt: ({ lastUsedAt }) => lastUsedAt,
};
