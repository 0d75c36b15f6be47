import type { SourceTools } from '../source.ts';

/** For tests of kinds that ask no cloud service, in which nobody asks for a file. */
export const offline: Pick<
  SourceTools,
  'fetch' | 'cloudApps' | 'asked' | 'renewSecret' | 'takesSidecars' | 'variables'
> = {
  fetch: () => Promise.reject(new Error('this test asks no service')),
  cloudApps: {},
  takesSidecars: false,
  variables: [],
  asked: async () => new Map(),
  renewSecret: () => Promise.reject(new Error('this test has no grant')),
};
