import { isDict, isName } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'RemoveObjects';
const look9 = { dict: '/Type/XObject/Subtype/Form/BBox[0 0 20 20]', data: '0 1 0 0 k 0 0 20 20 re f' };
const annotation = (subtype: string, rest = '', flags = 4) =>
  `<</Type/Annot/Subtype/${subtype}/F ${flags}/Rect[10 10 30 30]${rest}>>`;
const page = () =>
  buildPdf({
    objects: {
      10: annotation('Square', '/AP<</N 20 0 R>>'),
      11: annotation('Square', '/AP<</N 20 0 R>>', 0),
      12: annotation('Link', '/A<</S/URI/URI(http://a.test)>>'),
      13: annotation('Widget', '/FT/Tx/T(f)/AP<</N 20 0 R>>'),
      14: annotation('Screen', '/A<</S/Rendition>>'),
      15: annotation('PrinterMark', '/AP<</N 20 0 R>>'),
      20: look9,
    },
    catalog:
      '/AcroForm<</Fields[13 0 R]/XFA[]>>/OpenAction<</S/JavaScript/JS(1)>>/AA<</WC<</S/JavaScript/JS(1)>>>>/Outlines<</Count 0>>' +
      '/Names<</JavaScript<</Names[]>>/EmbeddedFiles<</Names[]>>>>',
    pages: [
      {
        content: '0 g 50 50 10 10 re f',
        mediaBox: [0, 0, 100, 100],
        extra: '/Annots[10 0 R 11 0 R 12 0 R 13 0 R 14 0 R 15 0 R]',
      },
    ],
  });
const left = (path: string): string[] =>
  look(path, (file) =>
    (file.pages[0]?.annotations ?? []).map((entry) => {
      const dict = file.resolve(entry);
      const subtype = isDict(dict) ? dict.map.get('Subtype') : null;
      return isName(subtype) ? subtype.name : '';
    }),
  );
const catalog = (path: string): string[] => look(path, (file) => [...file.catalog.map.keys()]);
const drawn = (path: string): number => contentOf(path).match(/ Do/g)?.length ?? 0;

test('printing annotations are drawn into the page, others are removed; scripts and actions are removed, attachments and bookmarks stay', async () => {
  const { report, path } = await quicklyFixedBy(page(), key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(left(path)).toEqual(['PrinterMark']);
  expect(drawn(path)).toBe(2);
  expect(catalog(path)).toEqual(expect.arrayContaining(['Names', 'Outlines']));
  for (const gone of ['AcroForm', 'OpenAction', 'AA']) expect(catalog(path)).not.toContain(gone);
  look(path, (file) => {
    const names = file.entry(file.catalog, 'Names');
    expect(isDict(names) && [...names.map.keys()]).toEqual(['EmbeddedFiles']);
  });
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test.each([
  [{ annotations: 'Remove' }, ['PrinterMark'], 1],
  [{ annotations: 'Keep', multimedia: false }, ['Square', 'Square', 'Screen', 'PrinterMark'], 1],
  [{ formFields: 'Keep', links: 'Keep' }, ['Link', 'Widget', 'PrinterMark'], 1],
  [{ formFields: 'Remove' }, ['PrinterMark'], 1],
] as const)('%o', async (settings, kinds, forms) => {
  const { path } = await quicklyFixedBy(page(), key, settings);
  expect([left(path), drawn(path)]).toEqual([kinds, forms]);
});

test('attachments and bookmarks are removed when asked; a kept field keeps its form without XFA', async () => {
  const { path } = await quicklyFixedBy(page(), key, { attachments: true, bookmarks: true, formFields: 'Keep' });
  expect(catalog(path)).not.toContain('Outlines');
  look(path, (file) => {
    const [names, form] = [file.entry(file.catalog, 'Names'), file.entry(file.catalog, 'AcroForm')];
    expect(isDict(names) ? names.map.size : 0).toBe(0);
    expect(isDict(form) && [...form.map.keys()]).toEqual(['Fields']);
  });
});

test('a poster that prints is drawn into the page, what it plays is removed', async () => {
  const kinds = ['Screen', 'Movie', '3D', 'RichMedia', 'FileAttachment'];
  const source = buildPdf({
    objects: { 20: look9 },
    pages: [
      {
        content: '0 g 50 50 10 10 re f',
        mediaBox: [0, 0, 100, 100],
        extra: `/Annots[${kinds.map((kind) => annotation(kind, '/AP<</N 20 0 R>>')).join('')}${annotation('Screen', '/AP<</N 20 0 R>>', 0)}]`,
      },
    ],
  });
  const { report, path } = await quicklyFixedBy(source, key, { attachments: true });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect([left(path), drawn(path)]).toEqual([[], kinds.length]);
  const removed = await quicklyFixedBy(source, key, { annotations: 'Remove' });
  expect(drawn(removed.path)).toBe(0);
});
