import type { DueFile } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const dueFileColumns: Columns<DueFile> = {
  sessionId: ({ sessionId }) => sessionId,
  fileName: ({ fileName }) => fileName,
  workflow: ({ workflow }) => workflow,
  part: ({ part }) => part,
  dueAt: ({ dueAt }) => dueAt,
  sizeBytes: ({ bytes }) => bytes,
  policyId: ({ policy }) => policy?.id ?? null,
  policy: ({ policy }) => policy?.name ?? null,
  isHeld: ({ isHeld }) => isHeld,
};
