import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Cell, Mark, Plan } from '@pdf2press/contract';
import { afterAll, expect, test } from 'vitest';
import { openPdf, type PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfDict, type PdfValue } from '../open/values.ts';
import { renderPreview } from '../render/preview.ts';
import { buildPdf, type PdfSource } from '../testing/build-pdf.ts';
import { rewritePdf } from '../write/rewrite-file.ts';
import { findDieLines } from './die-lines.ts';
import { imposePdf } from './impose-pdf.ts';
import { layoutPage } from './page-space.ts';

const dir = mkdtempSync(path.join(os.tmpdir(), 'place-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let made = 0;

function open(source: PdfSource): PdfFile {
  const file = path.join(dir, `in-${++made}.pdf`);
  writeFileSync(file, buildPdf(source));
  return openPdf({ path: file });
}

/** A plan with one page per sheet and 20 points around each page. */
function singly(file: PdfFile, marks: Mark[] = []): Plan {
  const pages = file.pages.map(layoutPage);
  return {
    format: 'pdf2press-plan',
    formatVersion: 1,
    layout: 'StepNRepeat',
    bindingEdge: 'None',
    cellBox: 'Trim',
    pageCount: pages.length,
    warnings: [],
    sheets: pages.map(({ trim }, index) => {
      const rect = { x: 20, y: 20, width: trim.width, height: trim.height };
      const cell: Cell = {
        row: 0,
        column: 0,
        page: index + 1,
        rotation: 0,
        ...rect,
        clip: rect,
        scale: { x: 1, y: 1 },
        shift: { x: 0, y: 0 },
      };
      const sheet = {
        number: index + 1,
        width: trim.width + 40,
        height: trim.height + 40,
        workStyle: 'Simplex' as const,
        quantity: 1,
      };
      return {
        ...sheet,
        role: 'Body',
        block: rect,
        folds: [],
        firstSide: 'Front',
        front: { cells: [cell], marks },
        back: null,
      };
    }),
  };
}

function imposed(files: PdfFile[], plan: Plan): PdfFile {
  const out = path.join(dir, `out-${++made}.pdf`);
  imposePdf({ files, plan, path: out, producer: 'test' });
  return openPdf({ path: out });
}

const dictOf = (file: PdfFile, value: PdfValue | undefined): PdfDict => {
  const found = file.resolve(value);
  if (!isDict(found)) throw new Error('no dictionary');
  return found;
};
const formOf = (file: PdfFile, page = 1, name = 'P0'): PdfDict => {
  const resources = dictOf(file, file.pages[page - 1]?.dict.map.get('Resources'));
  return dictOf(file, dictOf(file, resources.map.get('XObject')).map.get(name));
};

/** Mean difference (0 to 255) between a page and its place on the sheet. */
function difference(before: PdfFile, after: PdfFile, page = 1): number {
  const own = renderPreview(before, page, { dpi: 72, box: 'trim' });
  const cut = renderPreview(after, page, { dpi: 72, box: 'trim' });
  expect([cut.width, cut.height]).toEqual([own.width, own.height]);
  return own.pixels.reduce((sum, value, i) => sum + Math.abs(value - (cut.pixels[i] ?? 0)), 0) / own.pixels.length;
}

const arrow = '1 0 0 rg 20 20 40 160 re f 0 0 1 rg 20 140 m 60 140 l 40 190 l f 0 g 100 20 80 30 re f';

test.each([
  ['upright', ''],
  ['turned by 90', '/Rotate 90'],
  ['turned by 180', '/Rotate 180'],
  ['turned by 270', '/Rotate 270'],
  ['turned by -90', '/Rotate -90'],
  ['at twice the unit', '/UserUnit 2 /Rotate 90'],
  ['trimmed', '/TrimBox [10 30 190 170] /BleedBox [5 25 195 175]'],
  ['cropped and turned', '/CropBox [10 10 150 190] /TrimBox [20 15 140 180] /Rotate 270'],
])('a page %s looks unchanged', (_, extra) => {
  const before = open({ pages: [{ content: arrow, mediaBox: [0, 0, 200, 240], extra }] });
  expect(difference(before, imposed([before], singly(before)))).toBeLessThan(0.5);
});

test('a page with a negative origin looks unchanged', () => {
  const content = `1 0 0 1 -100 -50 cm ${arrow}`;
  const before = open({
    pages: [{ content, mediaBox: [-100, -50, 100, 150], extra: '/Rotate 90 /TrimBox [-90 -40 80 130]' }],
  });
  expect(difference(before, imposed([before], singly(before)))).toBeLessThan(0.5);
});

test('several content streams are joined, also when they end within an operator', () => {
  const before = open({
    pages: [{ content: ['q 1 0 0 rg', '20 20 100', '100 re f Q', '% a remark', '0 0 1 rg 5 5 10 10 re f'] }],
  });
  const after = imposed([before], singly(before));
  expect(difference(before, after)).toBeLessThan(0.5);
  expect(formOf(after).stream).toBeGreaterThan(0);
});

test('a single content stream keeps its bytes and its filter', () => {
  const data = deflateSync(arrow);
  const file = path.join(dir, 'one.pdf');
  writeFileSync(
    file,
    buildPdf({
      objects: {
        2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
        4: { dict: '/Filter /FlateDecode', data },
      },
      pages: [],
    }),
  );
  const source = openPdf({ path: file });
  const after = imposed([source], singly(source));
  expect(Buffer.from(after.rawStream(formOf(after).stream)).equals(data)).toBe(true);
});

test('large streams are copied byte for byte from the file', () => {
  const data = Buffer.alloc(300_000, 'picture ');
  const before = open({
    objects: {
      10: {
        dict: '/Type /XObject /Subtype /Image /Width 300 /Height 1000 /ColorSpace /DeviceGray /BitsPerComponent 8',
        data,
      },
    },
    pages: [{ content: 'q 200 0 0 200 0 0 cm /I Do Q', resources: '/XObject << /I 10 0 R >>' }],
  });
  const after = imposed([before], singly(before));
  const image = dictOf(
    after,
    dictOf(after, dictOf(after, formOf(after).map.get('Resources')).map.get('XObject')).map.get('I'),
  );
  expect(Buffer.from(after.rawStream(image.stream)).equals(data)).toBe(true);
});

test('an identical page is written once, and the same job gives the same bytes', () => {
  const page = { content: arrow };
  const before = open({ pages: [page] });
  const [sheet] = singly(before).sheets;
  if (!sheet) throw new Error('no sheet');
  const plan = { ...singly(before), sheets: [1, 2, 3].map((number) => ({ ...sheet, number })) };
  const [one, two] = [imposed([before], plan), imposed([before], plan)];
  expect(new Set([1, 2, 3].map((number) => formOf(one, number).stream)).size).toBe(1);
  expect(readFileSync(one.path).equals(readFileSync(two.path))).toBe(true);
});

test('unreferenced objects and the old page tree are not copied', () => {
  const before = open({
    objects: { 100: { dict: '', data: 'SECRET'.repeat(50) } },
    pages: [{ content: arrow }, { content: 'OTHER' }],
    catalog: '/Names 100 0 R',
  });
  const plan = singly(before);
  const after = imposed([before], { ...plan, sheets: plan.sheets.slice(0, 1) });
  const bytes = readFileSync(after.path).toString('latin1');
  expect(bytes).not.toContain('SECRET');
  expect(bytes).not.toContain('OTHER');
});

test('transparency groups, spot colours, overprint, layers and output intents stay', () => {
  const before = open({
    objects: {
      10: '[/Separation /Gold#20Foil /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0.2 0.8 0] /N 1 >>]',
      11: '<< /Type /ExtGState /OP true /op true /OPM 1 >>',
      12: '<< /Type /OCG /Name (Layer) >>',
      13: { dict: '/N 4', data: 'profile' },
    },
    pages: [
      {
        content: '/OC /L BDC /G gs /S cs 1 scn 20 20 100 100 re f EMC',
        resources: '/ColorSpace << /S 10 0 R >> /ExtGState << /G 11 0 R >> /Properties << /L 12 0 R >>',
        extra: '/Group << /S /Transparency /CS /DeviceCMYK /K true >>',
      },
    ],
    catalog:
      '/OCProperties << /OCGs [12 0 R] /D << /OFF [12 0 R] /Order [12 0 R] >> >> ' +
      '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (FOGRA39) /DestOutputProfile 13 0 R >>]',
  });
  const after = imposed([before], singly(before));
  const form = formOf(after);
  const group = dictOf(after, form.map.get('Group'));
  expect([group.map.get('I'), group.map.get('K'), isName(after.entry(group, 'CS'), 'DeviceCMYK')]).toEqual([
    true,
    true,
    true,
  ]);
  const resources = dictOf(after, form.map.get('Resources'));
  const space = after.resolve(dictOf(after, resources.map.get('ColorSpace')).map.get('S'));
  expect(isArray(space) && isName(space[1], 'Gold Foil')).toBe(true);
  expect(dictOf(after, dictOf(after, resources.map.get('ExtGState')).map.get('G')).map.get('OPM')).toBe(1);
  const properties = dictOf(after, after.catalog.map.get('OCProperties'));
  const off = after.entry(dictOf(after, properties.map.get('D')), 'OFF');
  expect(isArray(off) && off.length).toBe(1);
  const intents = after.entry(after.catalog, 'OutputIntents');
  expect(isArray(intents) && intents.length).toBe(1);
});

test('layers of two files are merged; a BaseState of OFF becomes a list', () => {
  const file = (base: string) =>
    open({
      objects: { 12: '<< /Type /OCG /Name (Layer) >>' },
      pages: [{ content: '/OC /L BDC 0 g 0 0 50 50 re f EMC', resources: '/Properties << /L 12 0 R >>' }],
      catalog: `/OCProperties << /OCGs [12 0 R] /D << ${base} >> >>`,
    });
  const files = [file(''), file('/BaseState /OFF')];
  const plan = singly(files[0] as PdfFile);
  const both = { ...plan, sheets: [1, 2].map((page) => structuredClone({ ...plan.sheets[0], number: page })) } as Plan;
  const second = both.sheets[1]?.front.cells[0];
  if (second) second.page = 2;
  const after = imposed(files, both);
  const properties = dictOf(after, after.catalog.map.get('OCProperties'));
  const [groups, off] = [after.entry(properties, 'OCGs'), after.entry(dictOf(after, properties.map.get('D')), 'OFF')];
  expect([isArray(groups) && groups.length, isArray(off) && off.length]).toEqual([2, 1]);
});

test('printing annotations become part of the page, others do not', () => {
  const annotation = (flags: number, x: number) =>
    `<< /Type /Annot /Subtype /Stamp /F ${flags} /Rect [${x} 100 ${x + 40} 140] /AP << /N 10 0 R >> >>`;
  const before = open({
    objects: {
      10: {
        dict: '/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Matrix [2 0 0 2 0 0]',
        data: '1 0 0 rg 0 0 10 10 re f',
      },
      11: annotation(4, 20),
      12: annotation(6, 80),
      13: annotation(0, 140),
    },
    pages: [{ content: '0 g 5 5 10 10 re f', extra: '/Annots [11 0 R 12 0 R 13 0 R]' }],
  });
  const { pixels, width } = renderPreview(imposed([before], singly(before)), 1, { dpi: 72, box: 'trim' });
  const at = (x: number, y: number) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
  expect(at(40, 80)).toEqual([255, 0, 0]);
  expect(at(100, 80)).toEqual([255, 255, 255]);
  expect(at(160, 80)).toEqual([255, 255, 255]);
});

test('technical lines overprint, on a layer with processing step metadata', () => {
  const before = open({ pages: [{ content: arrow }] });
  const ink = { spot: 'CutContour', tint: 1, alternate: [0, 1, 0, 0] as [number, number, number, number] };
  const mark: Mark = {
    mark: 'CutLine',
    shapes: [
      {
        type: 'path',
        segments: [
          ['M', [30, 40]],
          ['L', [130, 40]],
          ['L', [130, 90]],
          ['Z', []],
        ],
        stroke: { ink, width: 1 },
      },
    ],
    processingStep: { group: 'Structural', type: 'Cutting' },
  };
  const after = imposed([before], singly(before, [mark]));
  const properties = dictOf(after, after.catalog.map.get('OCProperties'));
  const groups = after.entry(properties, 'OCGs');
  const metadata = dictOf(after, dictOf(after, isArray(groups) ? groups[0] : null).map.get('GTS_Metadata'));
  expect(isName(after.entry(metadata, 'GTS_ProcStepsGroup'), 'Structural')).toBe(true);
  expect(isName(after.entry(metadata, 'GTS_ProcStepsType'), 'Cutting')).toBe(true);
  expect(findDieLines(after, 1, ['*contour'])?.box).toEqual({ x: 30, y: 40, width: 100, height: 50 });
  expect(findDieLines(after, 1, ['white'])).toBeNull();
});

test('a file that exceeds the limit is removed', () => {
  const before = open({ pages: [{ content: arrow }] });
  const out = path.join(dir, 'limited.pdf');
  expect(() =>
    imposePdf({ files: [before], plan: singly(before), path: out, producer: 'test', maxBytes: 300 }),
  ).toThrow('PDF_LIMIT_OUTPUT');
  expect(readdirSync(dir).filter((name) => name.includes('limited'))).toEqual([]);
});

test('old versions are written with a cross-reference table, new ones with streams', () => {
  const text = (version: string) => {
    const before = open({ version, pages: [{ content: arrow }] });
    const out = path.join(dir, `rewritten-${version}.pdf`);
    rewritePdf(before, out);
    expect(openPdf({ path: out }).pageCount).toBe(1);
    expect(difference(before, openPdf({ path: out }))).toBe(0);
    return readFileSync(out).toString('latin1');
  };
  expect(text('1.4')).toMatch(/\nxref\n0 \d+\n[\s\S]*trailer/);
  expect(text('1.7')).toContain('/Type/XRef');
});

test('pages with one blending colour space share the group of their sheet; different ones keep their own', () => {
  const page = (space: string) => ({
    content: arrow,
    mediaBox: [0, 0, 200, 200],
    extra: `/Group << /S /Transparency /I true /CS /${space} >>`,
  });
  const groups = (spaces: string[]) => {
    const before = open({ pages: spaces.map(page) });
    const after = imposed([before], singly(before));
    expect(difference(before, after)).toBeLessThan(1);
    const hasForm = formOf(after).map.has('Group');
    const sheet = after.pages[0]?.dict.map.get('Group');
    const space = sheet && after.entry(dictOf(after, sheet), 'CS');
    return { hasForm, isRgb: isName(space, 'DeviceRGB') };
  };
  expect(groups(['DeviceRGB', 'DeviceRGB'])).toEqual({ hasForm: false, isRgb: true });
  expect(groups(['DeviceRGB', 'DeviceCMYK'])).toEqual({ hasForm: true, isRgb: true });
});
