/** Removes transparency entries that no longer have an effect. */
import { interpretPage, isDict, isRef, type PdfDict, type Run } from '@pdf2press/pdf';
import type { FixContext } from '../../kind/runner.ts';
import type { flatteningTransparencies } from './contract.ts';
import type { PagePlan } from './plan-pages.ts';

type Context = FixContext<typeof flatteningTransparencies>;

const stateKeys = ['ca', 'CA', 'BM', 'SMask', 'AIS', 'TK'] as const;
const overprintKeys = ['OP', 'op', 'OPM'] as const;

/** Removes groups and the transparency keys of graphics states. */
export function removeTransparency(context: Context, plans: readonly PagePlan[]): void {
  const { edit, file } = context;
  const forms = new Set<number>();
  const states = new Map<PdfDict, Holder>();
  const noteStates = (resources: PdfDict | null, holderOf: (name: string) => Holder | null): void => {
    const list = resources ? file.entry(resources, 'ExtGState') : null;
    if (!isDict(list)) return;
    for (const [name, entry] of list.map) {
      const state = file.resolve(entry);
      if (!isDict(state) || states.has(state)) continue;
      const holder = isRef(entry) ? { num: entry.num, keys: [] } : holderOf(name);
      if (holder) states.set(state, holder);
    }
  };
  for (const { page, regions, tiles } of plans) {
    const now = file.pageNow(page.number);
    if (now.dict.map.has('Group')) {
      edit.putPage(now, 'Group', undefined);
      if (regions.length === 0)
        context.log({
          what: 'group',
          page: page.number,
          before: 'Transparency',
          after: null,
          parameter: 'removeUnneededGroups',
        });
    }
    const note = (run: Run): void => {
      if (run.kind === 'form' && run.dict.map.has('Group')) forms.add(run.object);
      noteStates(run.resources, (name) => holderOf(run, name));
    };
    // Nothing paints with these patterns any more, but content may still name them.
    for (const tile of tiles) {
      const dict = file.get(tile);
      const resources = isDict(dict) ? dict.map.get('Resources') : undefined;
      const list = file.resolve(resources);
      if (isDict(list))
        noteStates(list, (name) =>
          isRef(resources)
            ? { num: resources.num, keys: ['ExtGState', name] }
            : { num: tile, keys: ['Resources', 'ExtGState', name] },
        );
    }
    interpretPage(file, page.number, [{ pageBegin: note, runBegin: ({ run }) => note(run) }], {
      annotations: false,
      softMasks: false,
    });
  }
  const gone = context.settings.preserveOverprint === 'Simulate' ? [...stateKeys, ...overprintKeys] : stateKeys;
  for (const num of forms) edit.put(num, 'Group', undefined);
  for (const [state, { num, keys }] of states) {
    for (const key of gone) if (state.map.has(key)) edit.put(num, [...keys, key], undefined);
  }
}

/** An object and the keys from it to an entry. */
interface Holder {
  num: number;
  keys: string[];
}

/** Where a graphics state that is a direct object can be edited. */
function holderOf(run: Run, name: string): Holder | null {
  for (let at: Run | null = run; at; at = at.parent) {
    const resources = at.dict.map.get('Resources');
    if (resources === undefined) continue;
    const isReference = typeof resources === 'object' && resources !== null && 'num' in resources;
    return isReference
      ? { num: resources.num, keys: ['ExtGState', name] }
      : at.object
        ? { num: at.object, keys: ['Resources', 'ExtGState', name] }
        : null;
  }
  return null;
}
