/** The runner of a check by its key. The type makes a check without a runner a compile error. */
import type { CheckKey } from './keys.ts';
import type { AnyRunner } from './runner.ts';
import * as table from './runner-table.ts';

const runners: { readonly [K in CheckKey]: AnyRunner<K> } = { ...table };

/** The cast is safe: a runner is always called with the settings of the check of the same key. */
export const runnerOf = (key: CheckKey): AnyRunner<CheckKey> => runners[key] as unknown as AnyRunner<CheckKey>;
