import type { ImposeLayout } from '@pdf2press/contract';
import { imposeProfileSchema, layouts } from '@pdf2press/prepress/contracts';
import { type FieldShape, shapeOf } from '@pdf2press/ui';

export type Settings = Record<string, unknown>;
type Group = Extract<FieldShape, { kind: 'group' }>;

/** A profile of a layout with nothing changed; every setting is there, lengths as points. */
export const freshSettings = (type: ImposeLayout): Settings => ({ ...imposeProfileSchema.parse({ type }) });

/** The same wishes in another layout: what both know is kept, the rest is fresh. */
export function inLayout(type: ImposeLayout, settings: Settings): Settings {
  const fresh = freshSettings(type);
  const kept = Object.entries(settings).filter(([key]) => Object.hasOwn(fresh, key) && key !== 'type');
  const wished = imposeProfileSchema.safeParse({ ...fresh, ...Object.fromEntries(kept), type });
  return wished.success ? { ...wished.data } : fresh;
}

/** The sections of the form in reading order; what none of them names is the layout's own and comes second. */
const sections = {
  sheet: ['sheet', 'margins', 'gripper'],
  own: [],
  pages: ['pages', 'padding', 'cellBox', 'bleed', 'pageScaling', 'cell', 'mixedSizes', 'pageSizeTolerance'],
  place: ['alignment', 'backOffset', 'reverseSheets', 'faceDown'],
  quantity: ['copies', 'oversPercent'],
  marks: ['marks'],
} as const satisfies Record<string, readonly string[]>;
export type SectionKey = keyof typeof sections;
export const sectionKeys = Object.keys(sections) as SectionKey[];
const shared: ReadonlySet<string> = new Set(Object.values(sections).flat());

const shapes = new Map<ImposeLayout, Group>();
function shapeOfLayout(type: ImposeLayout): Group {
  const known = shapes.get(type);
  if (known) return known;
  const shape = shapeOf(layouts[type].settings);
  const group: Group = shape.kind === 'group' ? shape : { kind: 'group', fields: [] };
  shapes.set(type, group);
  return group;
}

/** The fields of one section of a layout's form. */
export const sectionShape = (type: ImposeLayout, section: SectionKey): Group => ({
  kind: 'group',
  fields: shapeOfLayout(type).fields.filter(([key]) =>
    section === 'own' ? !shared.has(key) : (sections[section] as readonly string[]).includes(key),
  ),
});
