import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'FlattenLayers';
const objects = {
  10: '<</Type/OCG/Name(Shown)>>',
  11: '<</Type/OCG/Name(Hidden)>>',
  12: '<</Type/OCG/Name(Screen only)/Usage<</Print<</PrintState/OFF>>>>>>',
  13: '<</Type/OCG/Name(Cutting)/GTS_Metadata<</GTS_ProcStepsGroup/Structural>>>>',
  14: '<</Type/OCMD/OCGs[10 0 R 11 0 R]/P/AllOn>>',
  15: { dict: '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/OC 11 0 R', data: '0 0 9 9 re f' },
  16: '<</Type/Annot/Subtype/Square/F 4/Rect[0 0 9 9]/OC 11 0 R/AP<</N 18 0 R>>>>',
  17: '<</Type/Annot/Subtype/Square/F 4/Rect[0 0 9 9]/OC 10 0 R/AP<</N 18 0 R>>>>',
  18: { dict: '/Type/XObject/Subtype/Form/BBox[0 0 9 9]', data: '0 0 1 1 re f' },
};
const properties = '/Properties<</A 10 0 R/B 11 0 R/C 12 0 R/D 13 0 R/E 14 0 R>>/XObject<</F 15 0 R>>';
const layered = (content: string, pages = 1, extra = '') =>
  buildPdf({
    objects,
    catalog:
      '/OCProperties<</OCGs[10 0 R 11 0 R 12 0 R 13 0 R]/D<</OFF[11 0 R]/AS[<</Event/Print/Category[/Print]/OCGs[12 0 R]>>]/Order[10 0 R 11 0 R]>>>>',
    pages: Array.from({ length: pages }, () => ({
      content,
      resources: properties,
      mediaBox: [0, 0, 90, 90] as const,
      extra,
    })),
  });
const pieces =
  '/OC /A BDC 1 1 1 1 re f EMC /OC /B BDC 2 2 2 2 re f EMC /OC /C BDC 3 3 3 3 re f EMC /OC /D BDC 4 4 4 4 re f EMC /OC /E BDC 5 5 5 5 re f EMC /F Do';
const layersOf = (path: string) => look(path, (file) => file.catalog.map.has('OCProperties'));
const painted = (path: string, page = 1): string[] =>
  [...contentOf(path, page).matchAll(/(\d) \d \d \d re\s+f|\/F Do/g)].map(([text, digit]) => digit ?? text);

test('content that prints stays, hidden content is deleted, processing steps stay layers', async () => {
  const { report, path } = await quicklyFixedBy(layered(pieces), key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(report.changes.map(({ what, before }) => `${what} ${before}`)).toEqual([
    'merged Shown',
    'hidden Hidden',
    'hidden Screen only',
  ]);
  expect(painted(path)).toEqual(['1', '4']);
  expect(contentOf(path).match(/BDC/g)).toHaveLength(1);
  expect(layersOf(path)).toBe(true);
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('by screen visibility and without processing steps, no layers are left', async () => {
  const { path } = await quicklyFixedBy(layered(pieces), key, { state: 'View', keepProcessingSteps: false });
  expect(painted(path)).toEqual(['1', '3', '4']);
  expect(layersOf(path)).toBe(false);
});

test('hidden layers can stay, and layers can be kept by name', async () => {
  const { path } = await quicklyFixedBy(layered(pieces), key, { removeHidden: false });
  expect(painted(path)).toEqual(['1', '2', '3', '4', '5', '/F Do']);
  const named = await quicklyFixedBy(layered(pieces), key, { keep: ['hid*'] });
  expect(painted(named.path)).toContain('2');
});

test('annotations of hidden layers are deleted, and all pages are processed whatever the page range', async () => {
  const pdf = layered(pieces, 2, '/Annots[16 0 R 17 0 R]');
  const { path } = await quicklyFixedBy(pdf, key);
  expect(painted(path, 2)).toEqual(['1', '4']);
  expect(look(path, (file) => file.pages.map((page) => page.annotations.length))).toEqual([1, 1]);
});
