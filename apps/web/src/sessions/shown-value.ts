import type { TFunction } from 'i18next';

/** The value of a variable as people read it. */
export const shownValue = (t: TFunction, value: unknown): string =>
  typeof value === 'boolean' ? t(value ? 'common.yes' : 'common.no') : String(value ?? '') || '–';
