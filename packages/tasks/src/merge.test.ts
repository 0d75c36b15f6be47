import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isArray, isDict, isRef, openPdf, type PdfFile, type PdfValue, renderPreview } from '@pdf2press/pdf';
import { buildPdf, type PdfSource } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'merge-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function merge(...sources: PdfSource[]) {
  const folder = mkdtempSync(path.join(directory, 'case-'));
  const files = sources.map((source, at) => {
    const file = path.join(folder, `${at}.pdf`);
    writeFileSync(file, buildPdf(source));
    return file;
  });
  const workDir = mkdtempSync(path.join(folder, 'work-'));
  const result = await runTask('merge', { inputs: files.map((file) => ({ path: file })) }, { workDir });
  expect(readdirSync(workDir)).toEqual([result.path]);
  return { ...result, files, out: path.join(workDir, result.path) };
}

function look<T>(file: string, at: (pdf: PdfFile) => T): T {
  const pdf = openPdf({ path: file });
  try {
    return at(pdf);
  } finally {
    pdf.close();
  }
}

const spot = (name: string) =>
  `/ColorSpace<</S[/Separation/${name}/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 0 0]/N 1>>]>>`;

/**
 * Two pages with a layer, a spot colour, an output intent and labels; a link, an action and two bookmarks lead to the second
 * page (object 76: the builder numbers contents and pages after the others) by the same name.
 */
const document = (name: string, size: number): PdfSource => ({
  pages: [
    {
      content: `/OC /L BDC /S cs 1 scn 10 10 ${size} 30 re f EMC`,
      mediaBox: [0, 0, 100 + size, 200],
      resources: `${spot(name)}/Properties<</L 60 0 R>>`,
      extra: `/TrimBox[5 5 90 190]/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(there)>>]`,
    },
    {
      content: `0 1 0 0 k 20 20 ${size} 60 re f`,
      mediaBox: [0, 0, 120, 140],
      extra: `/Rotate 90/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D(there)>>>>]`,
    },
  ],
  objects: {
    60: `<</Type/OCG/Name(${name} layer)>>`,
    70: '<</Type/Outlines/First 71 0 R/Last 72 0 R/Count 2>>',
    71: `<</Title(${name} 1)/Parent 70 0 R/Next 72 0 R/Dest(there)>>`,
    72: `<</Title(${name} 2)/Parent 70 0 R/Prev 71 0 R/Dest(there)>>`,
  },
  catalog:
    '/OCProperties<</OCGs[60 0 R]/D<</Order[60 0 R]>>>>/Outlines 70 0 R/PageLabels<</Nums[0<</S/r>>]>>' +
    '/Names<</Dests<</Names[(there)[76 0 R/Fit]]>>>>' +
    `/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(${name})>>]`,
});

const entryOf = (file: PdfFile, value: PdfValue | undefined, key: string): PdfValue | undefined => {
  const dict = file.resolve(value);
  return isDict(dict) ? dict.map.get(key) : undefined;
};
const textOf = (file: PdfFile, value: PdfValue | undefined): string => {
  const found = file.resolve(value);
  return typeof found === 'object' && found !== null && 'bytes' in found ? Buffer.from(found.bytes).toString() : '';
};

/** Number of the page that a name leads to. */
function targetOf(file: PdfFile, name: string): number | undefined {
  const names = file.resolve(
    entryOf(file, entryOf(file, entryOf(file, file.catalog, 'Names'), 'Dests'), 'Names'),
  ) as readonly PdfValue[];
  const at = names.findIndex((entry) => textOf(file, entry) === name);
  const page = (file.resolve(names[at + 1]) as readonly PdfValue[])[0];
  return isRef(page) ? file.pages.find(({ object }) => object === page.num)?.number : undefined;
}

/** Bookmarks in order, walked forwards and backwards. */
function bookmarksOf(file: PdfFile): { title: string; target: string }[] {
  const root = entryOf(file, file.catalog, 'Outlines');
  const walk = (start: 'First' | 'Last', step: 'Next' | 'Prev') => {
    const found: { title: string; target: string }[] = [];
    for (
      let item = entryOf(file, root, start);
      item !== undefined && found.length < 9;
      item = entryOf(file, item, step)
    ) {
      expect(entryOf(file, item, 'Parent')).toEqual(root);
      found.push({
        title: textOf(file, entryOf(file, item, 'Title')),
        target: textOf(file, entryOf(file, item, 'Dest')),
      });
    }
    return found;
  };
  const forwards = walk('First', 'Next');
  expect(walk('Last', 'Prev').reverse()).toEqual(forwards);
  expect(entryOf(file, root, 'Count')).toBe(forwards.length);
  return forwards;
}

const pictures = (file: string) =>
  look(file, (pdf) => pdf.pages.map(({ number }) => Buffer.from(renderPreview(pdf, number, { dpi: 72 }).pixels)));

test('pages stand in their order and look as before; boxes, spot colours, layers and labels stay', async () => {
  const { out, files, pageCount } = await merge(document('Gold', 20), document('Silver', 50), document('Bronze', 5));
  expect(pageCount).toBe(6);
  expect(pictures(out)).toEqual(files.flatMap(pictures));
  const facts = await runTask('inspect', { path: out }, { workDir: mkdtempSync(path.join(directory, 'look-')) });
  const before = await Promise.all(
    files.map((file) => runTask('inspect', { path: file }, { workDir: mkdtempSync(path.join(directory, 'look-')) })),
  );
  const told = ({ boxes, rotate, label }: (typeof facts.pages)[number]) => ({ boxes, rotate, label });
  expect(facts.pages.map(told)).toEqual(before.flatMap(({ pages }) => pages.map(told)));
  expect(facts.pages.map(({ label }) => label)).toEqual(['i', 'ii', 'i', 'ii', 'i', 'ii']);
  look(out, (file) => {
    const groups = file.resolve(entryOf(file, entryOf(file, file.catalog, 'OCProperties'), 'OCGs'));
    const names = isArray(groups) ? groups.map((group) => textOf(file, entryOf(file, group, 'Name'))) : [];
    expect(names).toEqual(['Gold layer', 'Silver layer', 'Bronze layer']);
  });
  for (const name of ['Gold', 'Silver', 'Bronze']) expect(JSON.stringify(facts)).toContain(`"${name}"`);
});

test('names of destinations stay apart, and links, actions and bookmarks lead where they led', async () => {
  const { out, renamed } = await merge(document('Gold', 20), document('Silver', 50), document('Bronze', 5));
  expect(renamed).toBe(2);
  look(out, (file) => {
    expect(bookmarksOf(file).map(({ title, target }) => [title, targetOf(file, target)])).toEqual([
      ['Gold 1', 2],
      ['Gold 2', 2],
      ['Silver 1', 4],
      ['Silver 2', 4],
      ['Bronze 1', 6],
      ['Bronze 2', 6],
    ]);
    const targets = file.pages.map((page) => {
      const [link] = file.resolve(page.dict.map.get('Annots')) as readonly PdfValue[];
      const name = entryOf(file, link, 'Dest') ?? entryOf(file, entryOf(file, link, 'A'), 'D');
      return targetOf(file, textOf(file, name));
    });
    expect(targets).toEqual([2, 2, 4, 4, 6, 6]);
  });
});

test('the output intent is that of the first file that has one; others are told', async () => {
  const plain: PdfSource = { pages: [{ content: '0 0 10 10 re f' }] };
  const { out, otherIntents } = await merge(plain, document('Gold', 20), document('Gold', 10), document('Silver', 5));
  expect(otherIntents).toEqual([3]);
  look(out, (file) => {
    const intents = file.resolve(entryOf(file, file.catalog, 'OutputIntents')) as readonly PdfValue[];
    expect(intents.map((intent) => textOf(file, entryOf(file, intent, 'OutputConditionIdentifier')))).toEqual(['Gold']);
  });
});

test.skipIf(spawnSync('qpdf', ['--version']).status !== 0)('qpdf finds no fault (needs qpdf)', async () => {
  const { out } = await merge(document('Gold', 20), { pages: [{}] }, document('Silver', 50));
  expect(spawnSync('qpdf', ['--check', out], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test('the same file twice is there twice, and the inputs are not changed', async () => {
  const { files } = await merge(document('Gold', 20));
  const [file = ''] = files;
  const bytes = readFileSync(file);
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const merged = await runTask('merge', { inputs: [{ path: file }, { path: file }] }, { workDir });
  expect([merged.pageCount, merged.renamed]).toEqual([4, 1]);
  expect(readFileSync(file)).toEqual(bytes);
});

test('a file that cannot be read is refused with its code, and nothing is left', async () => {
  const file = path.join(directory, 'no.pdf');
  writeFileSync(file, 'no PDF');
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  await expect(runTask('merge', { inputs: [{ path: file }] }, { workDir })).rejects.toMatchObject({
    code: 'PDF_NOT_PDF',
  });
  expect(readdirSync(workDir)).toEqual([]);
});
