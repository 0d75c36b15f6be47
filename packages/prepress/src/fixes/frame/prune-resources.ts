/** Takes out resources that no content names any more, so that what was replaced is not carried along. */
import {
  interpretPage,
  isDict,
  isRef,
  type OperatorEvent,
  type PdfDict,
  type PdfEditor,
  type PdfFile,
  type PdfValue,
  type ResourceUse,
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

interface Holder {
  num: number;
  keys: readonly string[];
}

interface Use {
  /** Where the category's dictionary can be reached for deletion. */
  holder: Holder;
  list: PdfDict;
  used: Set<string>;
  /** Everything that may name something of it was read: it is a Type 3 font's own. */
  isWhole?: true;
}

/** Where a run's resources are, from an indirect object downwards. */
export function holderOf(file: PdfFile, run: Run): Holder | null {
  const holder = (dict: PdfDict, num: number): Holder | null => {
    const value = dict.map.get('Resources');
    if (isRef(value)) return { num: value.num, keys: [] };
    return value !== undefined && num !== 0 ? { num, keys: ['Resources'] } : null;
  };
  for (let at: Run | null = run; at; at = at.parent) {
    const found = holder(at.dict, at.object);
    if (found || at.dict.map.has('Resources')) return found;
    if (at.kind !== 'page') continue;
    // A page inherits them from the nearest node above it that has some.
    const [node] = nodesAbove(file, at.dict);
    return node ? holder(node.dict, node.num) : null;
  }
  return null;
}

/** Nodes of the page tree that have resources for the pages below them, the nearest first. */
function nodesAbove(file: PdfFile, page: PdfDict): { num: number; dict: PdfDict }[] {
  const nodes = new Map<number, PdfDict>();
  for (let above = page.map.get('Parent'); isRef(above) && !nodes.has(above.num); ) {
    const dict = file.get(above.num);
    if (!isDict(dict)) break;
    nodes.set(above.num, dict);
    above = dict.map.get('Parent');
  }
  return [...nodes].map(([num, dict]) => ({ num, dict })).filter(({ dict }) => dict.map.has('Resources'));
}

/** Resources of nodes go when every page below has its own by now. */
function dropInherited({ file, put }: PdfEditor): void {
  const [met, used] = [new Set<number>(), new Set<number>()];
  for (const { dict } of file.pages) {
    const nodes = nodesAbove(file, dict);
    for (const { num } of nodes) met.add(num);
    if (nodes[0] && !dict.map.has('Resources')) used.add(nodes[0].num);
  }
  for (const num of met) if (!used.has(num)) put(num, 'Resources', undefined);
}

/** One dictionary has one key, whatever leads to it and however often it was read. */
function keyOf(file: PdfFile, { num, keys }: Holder, category: Category): string {
  let value: PdfValue | undefined = file.get(num);
  for (const key of keys) value = isDict(value) ? file.entry(value, key) : undefined;
  const list = isDict(value) ? value.map.get(category) : undefined;
  return isRef(list) ? `${list.num}` : [num, ...keys, category].join('/');
}

/** Every name in a piece of content. */
const namesIn = (content: Uint8Array): string[] =>
  [
    ...Buffer.from(content)
      .toString('latin1')
      .matchAll(/\/([^\s/<>[\]()%]+)/g),
  ].map(([, name = '']) =>
    name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );

/** A Type 3 font's own resources, and what any of its glyphs names of them, shown or not. */
function seeGlyphs(
  file: PdfEditor['file'],
  run: Run,
  name: string,
  wanted: readonly Category[],
  uses: Map<string, Use>,
): void {
  const fonts = run.resources ? file.entry(run.resources, 'Font') : null;
  const value = isDict(fonts) ? fonts.map.get(name) : undefined;
  const font = file.resolve(value);
  const glyphs = isDict(font) ? file.entry(font, 'CharProcs') : null;
  const resources = isDict(font) ? font.map.get('Resources') : undefined;
  if (!isRef(value) || !isDict(glyphs)) return;
  const holder = isRef(resources) ? { num: resources.num, keys: [] } : { num: value.num, keys: ['Resources'] };
  let named: Set<string> | null = null;
  for (const category of wanted) {
    const own = file.resolve(resources);
    const list = isDict(own) ? file.entry(own, category) : null;
    const key = keyOf(file, holder, category);
    if (!isDict(list) || uses.get(key)?.isWhole) continue;
    named ??= new Set(
      [...glyphs.map.values()].flatMap((entry) => {
        const glyph = file.resolve(entry);
        return isDict(glyph) && glyph.stream !== 0 ? namesIn(file.stream(glyph.stream)) : [];
      }),
    );
    // The page may use the same dictionary.
    const known = uses.get(key) ?? {
      holder: { num: holder.num, keys: [...holder.keys, category] },
      list,
      used: new Set(),
    };
    for (const one of named) known.used.add(one);
    known.isWhole = true;
    uses.set(key, known);
  }
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
  const uses = new Map<string, Use>();
  /** By the resources of runs: what was changed a moment ago may share the dictionaries below them. */
  const met = new Map<PdfDict, Partial<Record<Category, Use>>>();
  const untouchable = new Set<Use>();
  const of = (run: Run, category: Category): Use | null => {
    const list = run.resources ? file.entry(run.resources, category) : null;
    if (!run.resources || !isDict(list)) return null;
    const known = met.get(run.resources) ?? {};
    met.set(run.resources, known);
    const seen = known[category];
    // Without resources of their own, glyphs that no text shows name what is not known here.
    if (seen && run.kind === 'type3') untouchable.add(seen);
    if (seen) return seen;
    // Those of a glyph's font were seen when the font was chosen.
    const holder = run.kind === 'type3' ? null : holderOf(file, run);
    if (!holder) return null;
    const key = keyOf(file, holder, category);
    const use = uses.get(key) ?? {
      holder: { num: holder.num, keys: [...holder.keys, category] },
      list,
      used: new Set(),
    };
    uses.set(key, use);
    known[category] = use;
    return use;
  };
  const see = ({ run, op, name }: ResourceUse): void => {
    const category = categoryOf[op];
    if (category && wanted.includes(category)) of(run, category)?.used.add(name);
    if (op === 'Tf') seeGlyphs(file, run, name, wanted, uses);
  };
  /** An inline image may name a colour space; which one is in its dictionary. */
  const seeInline = ({ place: { run, start, end } }: OperatorEvent): void => {
    const dictionary = run.bytes.subarray(start, Math.min(end, start + 400));
    for (const name of namesIn(dictionary)) of(run, 'ColorSpace')?.used.add(name);
  };
  const look = (run: Run): void => {
    for (const category of wanted) of(run, category);
  };
  const inline = wanted.includes('ColorSpace') ? { operators: new Set(['BI']), operator: seeInline } : {};
  const walked: Walked = new WeakMap();
  for (const page of file.pages) {
    if (page.object === 0) continue;
    const reader = { ...inline, resource: see, pageBegin: look, runBegin: ({ run }: RunEvent) => look(run) };
    interpretPage(file, page.number, [reader], { walked, unshown: true });
  }
  dropInherited(edit);
  let removed = 0;
  for (const use of uses.values()) {
    const { holder, list, used } = use;
    const category = holder.keys.at(-1) as Category;
    if ((untouchable.has(use) && !use.isWhole) || !wanted.includes(category)) continue;
    for (const name of list.map.keys()) {
      // Default spaces are used without being named.
      if (used.has(name) || (name.startsWith('Default') && (defaults === 'keep' || !defaults.includes(name)))) continue;
      edit.put(holder.num, [...holder.keys, name], undefined);
      removed += 1;
    }
  }
  return removed;
}
