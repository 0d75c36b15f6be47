import type { SourceTools } from '../source.ts';

/** For tests of kinds that ask no cloud service. */
export const offline: Pick<SourceTools, 'fetch' | 'cloudApps' | 'renewSecret'> = {
  fetch: () => Promise.reject(new Error('this test asks no service')),
  cloudApps: {},
  renewSecret: () => Promise.reject(new Error('this test has no grant')),
};
