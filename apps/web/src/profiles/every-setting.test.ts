import { imposeLayouts, locales } from '@pdf2press/contract';
import { fixContracts, fixKeys } from '@pdf2press/fix/contracts';
import { imposeProfileSchema, layouts } from '@pdf2press/impose/contracts';
import { checkContracts, checkKeys } from '@pdf2press/preflight/contracts';
import { type FieldShape, shapeOf } from '@pdf2press/ui';
import i18next, { type TFunction } from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { fixWords } from '../fix/fix-words.ts';
import { sectionKeys, sectionShape } from '../impose/impose-settings.ts';
import { imposeWords } from '../impose/impose-words.ts';
import { wordsOf } from '../language/language.ts';
import { checkWords } from '../preflight/check-words.ts';

interface Node {
  properties?: Record<string, Node>;
  prefixItems?: Node[];
  items?: Node;
  anyOf?: Node[];
  type?: string;
  kind?: string;
}

/** Paths of all values a schema holds, as an entry of the schema would store them; a list's row counts once. */
function leavesOf(node: Node, path: string): string[] {
  // A file is one value, with one field.
  if (node.kind === 'attachment') return [path];
  const inner = node.anyOf?.find(({ type }) => type !== 'null' && type !== undefined) ?? node;
  const within = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (inner.properties) return Object.entries(inner.properties).flatMap(([key, child]) => leavesOf(child, within(key)));
  if (inner.prefixItems) return inner.prefixItems.flatMap((child, at) => leavesOf(child, within(at)));
  return inner.items?.properties ? leavesOf(inner.items, path) : [path];
}
const settingsOf = (schema: z.ZodType): string[] =>
  leavesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node, '');

/** Paths of all fields that a form shows for a shape, with what can be chosen in each. */
function fieldsOf(shape: FieldShape, path = ''): { path: string; options: readonly string[] }[] {
  const within = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (shape.kind === 'group') return shape.fields.flatMap(([key, inner]) => fieldsOf(inner, within(key)));
  if (shape.kind === 'tuple') return shape.parts.flatMap((inner, at) => fieldsOf(inner, within(at)));
  if (shape.kind === 'rows') return fieldsOf(shape.row, path);
  if (shape.kind === 'unknown') return [];
  const off = 'offValue' in shape && shape.offValue !== null ? [shape.offValue] : [];
  return [{ path, options: 'options' in shape ? shape.options : off }];
}
const pathsOf = (shape: FieldShape): string[] => fieldsOf(shape).map(({ path }) => path);

test.each(checkKeys)('every setting of the check %s has a field', (key) => {
  const { settings } = checkContracts[key];
  expect(pathsOf(shapeOf(settings)).sort()).toEqual(settingsOf(settings).sort());
});

test.each(fixKeys)('every parameter of the action %s has a field', (key) => {
  const { settings } = fixContracts[key];
  expect(pathsOf(shapeOf(settings)).sort()).toEqual(settingsOf(settings).sort());
});

test.each(imposeLayouts)('every setting of the layout %s has a field in one section', (type) => {
  const shown = sectionKeys.flatMap((section) => pathsOf(sectionShape(type, section)));
  expect(shown.sort()).toEqual(settingsOf(layouts[type].settings).sort());
  const parts = imposeProfileSchema.options.find(({ shape }) => shape.type.value === type);
  expect(parts?.shape.output).toBeDefined();
});

const languages = new Map<string, TFunction>();
beforeAll(async () => {
  for (const locale of locales) {
    const one = i18next.createInstance();
    await one.init({
      lng: locale,
      keySeparator: false,
      interpolation: { prefix: '{', suffix: '}' },
      resources: { [locale]: { translation: await wordsOf(locale) } },
    });
    languages.set(locale, one.t);
  }
});

/** A word that is only the name it has on the wire: `failBelow`. */
const isCode = (word: string | undefined, path: string): boolean =>
  !word || word === path.split('.').at(-1) || /^[a-z]+\.[a-z]/.test(word);
/** Values that are written the same in every language. */
const isName = (value: string): boolean =>
  /^(?:[\dA-Z/.:_-]+[a-z]?|\w+Box|Device\w+|Cal\w+|ICC\w+|Type\d|TrueType|OpenType|Lab|Flate|Separation|PDF\/.*|[a-z]+code|code\d+|datamatrix|pdf417|(?:Micro )?QR Code|Code \d+|(?:GS1 )?Data ?Matrix)$/.test(
    value,
  );

// That a choice has words shows where no word of them can be the same as in English.
test.each(locales)('every setting and every option has a label in %s', (locale) => {
  const t = languages.get(locale) as TFunction;
  const unnamed = (owner: string, shape: FieldShape, words: Pick<ReturnType<typeof fixWords>, 'label' | 'option'>) =>
    fieldsOf(shape).flatMap(({ path, options }) => [
      ...(isCode(words.label(path), path) ? [`${owner} ${path}`] : []),
      ...options
        .filter((value) => !isName(value) && words.option(path, value) === value && locale === 'zh')
        .map((value) => `${owner} ${path} = ${value}`),
    ]);
  expect([
    ...checkKeys.flatMap((key) => unnamed(key, shapeOf(checkContracts[key].settings), checkWords(key, locale, t))),
    ...fixKeys.flatMap((key) => unnamed(key, shapeOf(fixContracts[key].settings), fixWords(key, locale, t))),
    ...imposeLayouts.flatMap((type) => unnamed(type, shapeOf(layouts[type].settings), imposeWords(type, locale, t))),
  ]).toEqual([]);
});
