/** Removes resources that no content uses any more, so that replaced objects are not kept in the file. */
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
  /** Object and keys through which the dictionary of the category is edited. */
  holder: Holder;
  list: PdfDict;
  used: Set<string>;
  /** All content that can use this dictionary was read: it belongs to a Type 3 font. */
  isWhole?: true;
}

/** The nearest indirect object that has the run's resources, and the keys from there to them. */
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
    // A page without Resources inherits them from the nearest node above that has some.
    const [node] = nodesAbove(file, at.dict);
    return node ? holder(node.dict, node.num) : null;
  }
  return null;
}

/** Nodes of the page tree above the page that have Resources, nearest first. */
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

/** Removes Resources from nodes of the page tree that no page inherits from any more. */
function dropInherited({ file, put }: PdfEditor): void {
  const [met, used] = [new Set<number>(), new Set<number>()];
  for (const { dict } of file.pages) {
    const nodes = nodesAbove(file, dict);
    for (const { num } of nodes) met.add(num);
    if (nodes[0] && !dict.map.has('Resources')) used.add(nodes[0].num);
  }
  for (const num of met) if (!used.has(num)) put(num, 'Resources', undefined);
}

/** One key for each dictionary, whatever path leads to it. */
function keyOf(file: PdfFile, { num, keys }: Holder, category: Category): string {
  let value: PdfValue | undefined = file.get(num);
  for (const key of keys) value = isDict(value) ? file.entry(value, key) : undefined;
  const list = isDict(value) ? value.map.get(category) : undefined;
  return isRef(list) ? `${list.num}` : [num, ...keys, category].join('/');
}

/** All names in a content stream. */
const namesIn = (content: Uint8Array): string[] =>
  [
    ...Buffer.from(content)
      .toString('latin1')
      .matchAll(/\/([^\s/<>[\]()%]+)/g),
  ].map(([, name = '']) =>
    name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );

/** Marks as used all resources that any glyph of a Type 3 font names, whether the glyph is shown or not. */
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
 * Removes unused entries from resource dictionaries.
 * @param wanted categories to remove from
 * @param defaults names of default colour spaces that may be removed
 * @returns number of entries removed
 */
export function pruneResources(
  edit: PdfEditor,
  wanted: readonly Category[] = categories,
  defaults: 'keep' | readonly string[] = 'keep',
): number {
  const { file } = edit;
  const uses = new Map<string, Use>();
  /** By resource dictionary of a run. A run edited before may share the dictionaries below it with others. */
  const met = new Map<PdfDict, Partial<Record<Category, Use>>>();
  const untouchable = new Set<Use>();
  const of = (run: Run, category: Category): Use | null => {
    const list = run.resources ? file.entry(run.resources, category) : null;
    if (!run.resources || !isDict(list)) return null;
    const known = met.get(run.resources) ?? {};
    met.set(run.resources, known);
    const seen = known[category];
    // Glyphs that are not shown may use resources of the page; which ones is unknown, so the dictionary is kept.
    if (seen && run.kind === 'type3') untouchable.add(seen);
    if (seen) return seen;
    // The resources of a Type 3 font were recorded when the font was selected.
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
  /** An inline image may name a colour space in its dictionary. */
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
      // Default colour spaces are used without being named in content.
      if (used.has(name) || (name.startsWith('Default') && (defaults === 'keep' || !defaults.includes(name)))) continue;
      edit.put(holder.num, [...holder.keys, name], undefined);
      removed += 1;
    }
  }
  return removed;
}
