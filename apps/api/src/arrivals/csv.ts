import type { ArrivedItem } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const arrivalColumns: Columns<ArrivedItem> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  name: ({ name }) => name,
  sizeBytes: ({ sizeBytes }) => sizeBytes,
  way: ({ way }) => way,
  source: ({ source }) => source,
  outcome: ({ outcome }) => outcome,
  sessionId: ({ session }) => session?.id ?? null,
  sessionStatus: ({ session }) => session?.status ?? null,
  duplicateOf: ({ duplicateOf }) => duplicateOf?.id ?? null,
  reason: ({ why }) => why?.code ?? null,
  message: ({ why }) => why?.message ?? null,
  attempts: ({ attempts }) => attempts,
  nextTryAt: ({ nextTryAt }) => nextTryAt,
};
