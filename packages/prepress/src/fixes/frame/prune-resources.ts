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
  /** Everything that may name something of it was read: it is a Type 3 font's own. */
  isWhole?: true;
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
  uses: Map<PdfDict, Use>,
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
    if (!isDict(list) || uses.get(list)?.isWhole) continue;
    named ??= new Set(
      [...glyphs.map.values()].flatMap((entry) => {
        const glyph = file.resolve(entry);
        return isDict(glyph) && glyph.stream !== 0 ? namesIn(file.stream(glyph.stream)) : [];
      }),
    );
    // The page may use the same dictionary.
    const known = uses.get(list) ?? { holder: { num: holder.num, keys: [...holder.keys, category] }, used: new Set() };
    uses.set(list, { ...known, used: new Set([...known.used, ...named]), isWhole: true });
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
  const uses = new Map<PdfDict, Use>();
  const untouchable = new Set<PdfDict>();
  const of = (run: Run, category: Category): Use | null => {
    const list = run.resources ? file.entry(run.resources, category) : null;
    if (!isDict(list)) return null;
    // Without resources of their own, glyphs that no text shows name what is not known here.
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
      if (place.op === 'Tf' && isName(name)) seeGlyphs(file, place.run, name.name, wanted, uses);
    } else if (place.op === 'BI') {
      // An inline image may name a colour space; which one is in its dictionary.
      const dictionary = place.run.bytes.subarray(place.start, Math.min(place.end, place.start + 400));
      for (const name of namesIn(dictionary)) of(place.run, 'ColorSpace')?.used.add(name);
    }
  };
  const look = (run: Run): void => {
    for (const category of wanted) of(run, category);
  };
  const operators = new Set(Object.keys(categoryOf).filter((op) => wanted.includes(categoryOf[op] as Category)));
  if (wanted.includes('ColorSpace')) operators.add('BI');
  operators.add('Tf');
  const walked: Walked = new WeakMap();
  for (const page of file.pages) {
    if (page.object === 0) continue;
    const reader = { operators, operator: see, pageBegin: look, runBegin: ({ run }: RunEvent) => look(run) };
    interpretPage(file, page.number, [reader], { walked });
  }
  let removed = 0;
  for (const [list, use] of uses) {
    const { holder, used } = use;
    const category = holder.keys.at(-1) as Category;
    if ((untouchable.has(list) && !use.isWhole) || !wanted.includes(category)) continue;
    for (const name of list.map.keys()) {
      // Default spaces are used without being named.
      if (used.has(name) || (name.startsWith('Default') && (defaults === 'keep' || !defaults.includes(name)))) continue;
      edit.put(holder.num, [...holder.keys, name], undefined);
      removed += 1;
    }
  }
  return removed;
}
