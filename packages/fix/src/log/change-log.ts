import type { FixChange } from '@pdf2press/contract';
import type { Rect } from '@pdf2press/pdf';
import type { LoggedChange } from '../kind/runner.ts';

/** Rows kept per action; further changes are only counted. */
const maxRows = 2000;

/** Places of a page that may look different: default user space, points. */
export interface DeclaredPlaces {
  get: (page: number) => readonly Rect[] | undefined;
}

/** Collects the changes of an action. Equal changes on a page form one row. */
export interface ChangeLog {
  log: (change: LoggedChange) => void;
  declare: (page: number, box: Rect) => void;
  rows: () => FixChange[];
  objects: () => number;
  unlisted: () => number;
  pages: () => number[];
  boxes: DeclaredPlaces;
}

/**
 * Creates the log of one action.
 * @param action key of the action
 * @param index its position in the profile
 */
export function createChangeLog(action: string, index: number): ChangeLog {
  const rows = new Map<string, FixChange>();
  /** Four numbers per box in one list, to save memory: a large file may have hundreds of thousands of boxes. */
  const edges = new Map<number, number[]>();
  const pages = new Set<number>();
  let objects = 0;
  let unlisted = 0;
  const declare = (page: number, box: Rect): void => {
    const list = edges.get(page);
    if (list) list.push(...box);
    else edges.set(page, [...box]);
  };
  const boxes: DeclaredPlaces = {
    get(page) {
      const list = edges.get(page);
      return (
        list &&
        Array.from(
          { length: list.length / 4 },
          (_, at) => list.slice(at * 4, at * 4 + 4) as [number, number, number, number],
        )
      );
    },
  };
  return {
    boxes,
    declare,
    log(change) {
      const count = change.count ?? 1;
      objects += count;
      const page = change.page ?? null;
      if (page !== null) pages.add(page);
      if (page !== null && change.box && !change.looksSame) declare(page, change.box);
      const key = JSON.stringify([change.what, page, change.before, change.after, change.parameter, change.params]);
      const known = rows.get(key);
      if (known) known.count += count;
      else if (rows.size >= maxRows) unlisted += count;
      else {
        const { what, object, box, parameter, thumbnail } = change;
        rows.set(key, {
          index,
          action,
          what,
          page,
          ...(object !== undefined && { object }),
          ...(box && { box: [...box] as [number, number, number, number] }),
          before: change.before ?? null,
          after: change.after ?? null,
          ...(parameter !== undefined && { parameter }),
          params: change.params ?? {},
          ...(thumbnail !== undefined && { thumbnail }),
          count,
        });
      }
    },
    rows: () => [...rows.values()],
    objects: () => objects,
    unlisted: () => unlisted,
    pages: () => [...pages].sort((a, b) => a - b),
  };
}
