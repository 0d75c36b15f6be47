import { isNight } from '@pdf2press/config/by-day';

/**
 * Of places to die at, by day the last in the middle of something, at night all of them. What every kind shares is tried at
 * every place always, in crashes.test.ts.
 */
export const places = <P extends string>(...all: readonly P[]): readonly P[] =>
  isNight ? all : all.filter((place) => place.startsWith('inside')).slice(-1);
