/** Takes out resources that no content names any more, so that what was replaced is not carried along. */
import {
  interpretPage,
  isDict,
  isName,
  isRef,
  type OperatorEvent,
  type PdfDict,
  type PdfEditor,
  type Run,
  type RunEvent,
  type Walked,
} from '@pdf2press/pdf';

const categories = ['XObject', 'Pattern', 'Shading', 'ColorSpace', 'ExtGState', 'Font'] as const;
type Category = (typeof categories)[number];

const categoryOf: Readonly<Record<string, Category>> = {
  Do: 'XObject',
  scn: 'Pattern',
  SCN: 'Pattern',
  sh: 'Shading',
  cs: 'ColorSpace',
  CS: 'ColorSpace',
  gs: 'ExtGState',
  Tf: 'Font',
};

interface Use {
  /** Where the category's dictionary can be reached for deletion. */
  holder: { num: number; keys: string[] };
  used: Set<string>;
}

/** Where a run's resources are, from an indirect object downwards. */
function holderOf(run: Run): { num: number; keys: string[] } | null {
  for (let at: Run | null = run; at; at = at.parent) {
    const value = at.dict.map.get('Resources');
    if (isRef(value)) return { num: value.num, keys: [] };
    if (value !== undefined) return at.object ? { num: at.object, keys: ['Resources'] } : null;
  }
  return null;
}

/**
 * @param wanted categories to look at
 * @param defaults Default spaces that no longer stand for anything
 * @returns number of entries that went
 */
export function pruneResources(
  edit: PdfEditor,
  wanted: readonly Category[] = categories,
  defaults: 'keep' | readonly string[] = 'keep',
): number {
  const { file } = edit;
  const uses = new Map<PdfDict, Use>();
  const untouchable = new Set<PdfDict>();
  const of = (run: Run, category: Category): Use | null => {
    const list = run.resources ? file.entry(run.resources, category) : null;
    if (!isDict(list)) return null;
    // Glyphs that no text shows are not walked: what their fonts name is not known.
    if (run.kind === 'type3') untouchable.add(list);
    const known = uses.get(list);
    if (known) return known;
    const holder = holderOf(run);
    if (!holder) return null;
    const use: Use = { holder: { num: holder.num, keys: [...holder.keys, category] }, used: new Set() };
    uses.set(list, use);
    return use;
  };
  const see = ({ place, operands }: OperatorEvent): void => {
    const category = categoryOf[place.op];
    if (category) {
      const name = operands.findLast((operand) => isName(operand));
      if (isName(name)) of(place.run, category)?.used.add(name.name);
    } else if (place.op === 'BI') {
      // An inline image may name a colour space; which one is in its dictionary.
      for (const name of Buffer.from(place.run.bytes.subarray(place.start, Math.min(place.end, place.start + 400)))
        .toString('latin1')
        .matchAll(/\/([^\s/<>[\]()]+)/g))
        of(place.run, 'ColorSpace')?.used.add(name[1] ?? '');
    }
  };
  const look = (run: Run): void => {
    for (const category of wanted) of(run, category);
  };
  const operators = new Set(Object.keys(categoryOf).filter((op) => wanted.includes(categoryOf[op] as Category)));
  if (wanted.includes('ColorSpace')) operators.add('BI');
  const walked: Walked = new WeakMap();
  for (const page of file.pages) {
    if (page.object === 0) continue;
    const reader = { operators, operator: see, pageBegin: look, runBegin: ({ run }: RunEvent) => look(run) };
    interpretPage(file, page.number, [reader], { walked });
  }
  let removed = 0;
  for (const [list, { holder, used }] of uses) {
    const category = holder.keys.at(-1) as Category;
    if (untouchable.has(list) || !wanted.includes(category)) continue;
    for (const name of list.map.keys()) {
      // Default spaces are used without being named.
      if (used.has(name) || (name.startsWith('Default') && (defaults === 'keep' || !defaults.includes(name)))) continue;
      edit.put(holder.num, [...holder.keys, name], undefined);
      removed += 1;
    }
  }
  return removed;
}
