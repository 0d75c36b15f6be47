import type { ImposeLayout } from '@pdf2press/contract';
import { imposeProfileSchema, layouts } from '@pdf2press/impose/contracts';
import { hasSetting } from '@pdf2press/settings';
import { type FieldShape, shapeOf } from '@pdf2press/ui';

export type Settings = Record<string, unknown>;
type Group = Extract<FieldShape, { kind: 'group' }>;

/** The default settings of a layout, complete; lengths in points. */
export const freshSettings = (type: ImposeLayout): Settings => ({ ...imposeProfileSchema.parse({ type }) });

/** Settings for another layout: common settings are kept, the others get their defaults. */
export function inLayout(type: ImposeLayout, settings: Settings): Settings {
  const fresh = freshSettings(type);
  const kept = Object.entries(settings).filter(([key]) => Object.hasOwn(fresh, key) && key !== 'type');
  // What the other layout does not have cannot follow a variable there.
  const bindings = Object.entries((settings.variables ?? {}) as Readonly<Record<string, string>>);
  const variables = Object.fromEntries(bindings.filter(([path]) => hasSetting(layouts[type].settings, path)));
  const wished = imposeProfileSchema.safeParse({ ...fresh, ...Object.fromEntries(kept), variables, type });
  return wished.success ? { ...wished.data } : fresh;
}

/** Sections of the form in order; settings of the layout itself, which no section names, come second. */
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

/** The fields of the output. */
export const outputShape: FieldShape = shapeOf(imposeProfileSchema.options[0].shape.output);

/** A shape without one setting, which the form shows separately. */
export function without({ fields }: Group, path: readonly string[]): Group {
  const [first, ...rest] = path;
  return {
    kind: 'group',
    fields: fields.flatMap(([key, field]): Group['fields'] => {
      if (key !== first) return [[key, field]];
      return rest.length > 0 && field.kind === 'group' ? [[key, without(field, rest)]] : [];
    }),
  };
}

/** The settings of the marks, each a group of its own. */
export function marksShape(type: ImposeLayout): Group {
  const found = shapeOfLayout(type).fields.find(([key]) => key === 'marks')?.[1];
  return found?.kind === 'group' ? found : { kind: 'group', fields: [] };
}
