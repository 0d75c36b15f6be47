/* What folders that are looked into have in common, wherever they lie. */
import { isSidecarName, maxSidecarBytes, problem, type Sidecar } from '@pdf2press/contract';
import { fits } from './name-patterns.ts';
import type { SourceItem } from './source.ts';

/** Where settled files go, in the named folder. */
export const settledFolders = { accepted: 'processed', rejected: 'rejected' } as const;

/** Folders of a named one elsewhere that are looked into. */
export const mostFolders = 2_000;

/** Which files of a folder are let in, by patterns of their names. */
export interface NameRules {
  include: readonly string[];
  exclude: readonly string[];
}

const isAny = (name: string, patterns: readonly string[]): boolean => patterns.some((pattern) => fits(name, pattern));

/** Case is ignored, as on the Windows and macOS machines that files are copied from. */
export const isLetIn = (name: string, { include, exclude }: NameRules): boolean =>
  isAny(name, include) && !isAny(name, exclude);

/** The same, and files that may hold values for another one, whatever names are taken. */
export const isLookedAt = (name: string, rules: NameRules, takesSidecars: boolean): boolean =>
  isLetIn(name, rules) || (takesSidecars && isSidecarName(name) && !isAny(name, rules.exclude));

/** An empty file is often one whose copying has not begun yet. */
const emptyPatienceMs = 5 * 60_000;

/** The state of a file at an earlier poll. */
export interface Look {
  state: string;
  /** By the clock of the tools, when this state was first seen. */
  since: number;
}

/**
 * Whether nothing about a file has changed for long enough. The look is kept in `looks`.
 * @param key tells the files of a folder apart
 */
export function isStable(
  looks: { get: (key: string) => unknown; set: (key: string, look: Look) => unknown },
  { key, state, size }: { key: string; state: string; size: number },
  { stableSeconds, now }: { stableSeconds: number; now: number },
): boolean {
  const look = looks.get(key) as Look | undefined;
  if (look?.state !== state) looks.set(key, { state, since: now });
  const quietFor = look?.state === state ? now - look.since : 0;
  return quietFor >= (size === 0 ? emptyPatienceMs : stableSeconds * 1000);
}

/** How long a file waits for the values beside it, and values for the file that they are of, seconds. */
const besidePatience = 60;
const alonePatience = 600;

/** A file as its folder lists it. */
export interface Listed {
  name: string;
  /** The subfolder that it lies in; empty = the named folder itself. */
  folder: string;
}

const stem = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase();
const stemOf = ({ name, folder }: Listed): string => `${folder}/${stem(name)}`;

/** The name among those of a folder that holds the values of a file there. */
export const valuesOf = (name: string, names: readonly string[]): string | undefined =>
  names.find((one) => isSidecarName(one) && stem(one) === stem(name));

/** The name with the extension of another one. */
export const withExtensionOf = (name: string, other: string): string =>
  `${name.replace(/\.[^.]*$/, '')}${other.slice(other.lastIndexOf('.'))}`;

interface Standing<F> {
  file: F;
  /** The file with its values. */
  beside?: F;
  /** Bytes that nothing changes for so many seconds are whole. */
  patience: number;
  /** Values whose file has not come. */
  isAlone?: true;
}

/**
 * How the files of a folder belong together: values are of the first file there that has their name with another extension.
 * Without `takesSidecars` each stands for itself.
 */
export function pairUp<F extends Listed>(
  files: readonly F[],
  { rules, stableSeconds, takesSidecars }: { rules: NameRules; stableSeconds: number; takesSidecars: boolean },
): Standing<F>[] {
  const isValues = ({ name }: F) => takesSidecars && isSidecarName(name);
  const values = new Map(files.filter(isValues).map((file) => [stemOf(file), file]));
  const standing = files
    .filter((file) => !isValues(file))
    .map((file): Standing<F> => {
      const beside = values.get(stemOf(file));
      values.delete(stemOf(file));
      if (beside) return { file, beside, patience: stableSeconds };
      return { file, patience: takesSidecars ? Math.max(stableSeconds, besidePatience) : stableSeconds };
    });
  const alone = [...values.values()]
    .filter(({ name }) => isLetIn(name, rules))
    .map((file) => ({ file, patience: Math.max(stableSeconds, alonePatience), isAlone: true as const }));
  return [...standing, ...alone];
}

/** @throws ProblemError `sidecar.tooLarge` */
async function readText({ name, size = 0, open }: SourceItem): Promise<Sidecar> {
  if (size > maxSidecarBytes) throw problem('sidecar.tooLarge', { limit: maxSidecarBytes });
  const pieces: Uint8Array[] = [];
  for await (const piece of open()) pieces.push(piece);
  return { name, text: Buffer.concat(pieces).toString('utf8') };
}

/**
 * A file and the values beside it as one item. After a crash between the two, an accepted file is still there and is known, and a
 * refused one does not come again without its values.
 */
const withSidecar = (item: SourceItem<never>, beside: SourceItem<never>): SourceItem<never> => ({
  ...item,
  sidecar: () => readText(beside),
  settle: async (outcome, reason) => {
    if (outcome === 'accepted') await beside.settle(outcome);
    await item.settle(outcome, reason);
    if (outcome === 'rejected') await beside.settle(outcome);
  },
});

/** The items of a folder whose files have not changed for long enough. */
export function* itemsOf<F extends Listed>(
  files: readonly F[],
  {
    isWhole,
    itemOf,
    ...how
  }: Parameters<typeof pairUp>[1] & {
    isWhole: (file: F, seconds: number) => boolean;
    itemOf: (file: F) => SourceItem<never>;
  },
): Generator<SourceItem<never>> {
  for (const { file, beside, patience, isAlone } of pairUp(files, how)) {
    // Each is looked at every time, so that none begins to wait only when the other is whole.
    const areWhole = [isWhole(file, patience), !beside || isWhole(beside, how.stableSeconds)];
    if (areWhole.includes(false)) continue;
    const item = itemOf(file);
    if (beside) yield withSidecar(item, itemOf(beside));
    else yield isAlone ? { ...item, refusal: { code: 'sidecar.alone' } } : item;
  }
}
