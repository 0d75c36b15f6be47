import type { ProfileSummary } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

/** The same for every kind: settings, with what is secret among them, are in no column. */
export const profileColumns: Columns<ProfileSummary> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  name: ({ name }) => name,
  description: ({ description }) => description,
  organization: ({ organization }) => organization?.name ?? null,
  basePreset: ({ basePreset }) => basePreset?.name ?? null,
  differences: ({ basePreset }) => basePreset?.differences ?? null,
  usedBy: ({ usedBy }) => usedBy.map(({ name }) => name).join('; '),
  version: ({ version }) => version,
  updatedAt: ({ updatedAt }) => updatedAt,
};
