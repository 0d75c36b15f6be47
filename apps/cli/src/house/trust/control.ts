import type { NamedTest } from './named-tests.ts';

/** One place in the tree where a guard is taken away. */
export interface Edit {
  /** From the root of the repository. */
  file: string;
  /** What stands there, once. */
  takes: string;
  /** What stands there instead. */
  puts: string;
}

/** A guard of the product, how it is taken away, and the test that must see that it is gone. */
export interface Control {
  /** What is guarded, in words. */
  guard: string;
  /** What is done to the guard, in words. */
  mutation: string;
  edits: readonly [Edit, ...Edit[]];
  test: NamedTest;
}

/** A text with the guard taken away. @throws Error where what is to be taken stands there never or more than once */
export function mutated(text: string, { file, takes, puts }: Edit): string {
  const parts = text.split(takes);
  if (parts.length !== 2)
    throw new Error(`${file} holds ${parts.length - 1} times what a control takes away:\n${takes}`);
  return parts.join(puts);
}
