import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createColourService } from '../colour/colour-service.ts';
import { openPdf } from '../open/pdf-file.ts';
import { buildPdf, type PdfSource } from '../testing/build-pdf.ts';
import { areToolsHere, drawingsOf } from '../testing/other-tools.ts';
import { writeMendedCopy } from './engine-pages.ts';
import { lineInks } from './line-inks.ts';
import { lineLayers } from './line-layers.ts';
import { isLineName } from './line-names.ts';
import { openRenderService } from './render-service.ts';
import { softProof } from './soft-proof.ts';
import { writeTiles } from './tiles.ts';

const workDir = mkdtempSync(path.join(os.tmpdir(), 'line-layers-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

let count = 0;
function kept(source: PdfSource): string {
  count += 1;
  const input = path.join(workDir, `in-${count}.pdf`);
  writeFileSync(input, buildPdf(source));
  return input;
}

function layersOf(source: PdfSource, inks: readonly string[] = []): string[] {
  const file = openPdf({ path: kept(source) });
  try {
    return lineLayers(file, 1, inks).map(({ name }) => name);
  } finally {
    file.close();
  }
}

const line = '0 1 0 0 K 2 w 10 10 80 80 re S';
const art = '1 0 0 0 k 30 30 20 20 re f';
const step = (group: string, type: string) =>
  `/GTS_Metadata << /Type /GTS_Metadata /GTS_ProcStepsGroup /${group} /GTS_ProcStepsType /${type} >>`;

/** A page of 100 × 100 points with art below, and content on a layer of this name. */
const layered = (
  name: string,
  { more = '', content = line, config = '', tag = '450 0 R', objects = {} as Record<number, string> } = {},
): PdfSource => ({
  catalog: `/OCProperties << /OCGs [450 0 R 451 0 R] /D << ${config} >> >>`,
  objects: {
    450: `<< /Type /OCG /Name (${name}) ${more} >>`,
    451: '<< /Type /OCG /Name (Artwork) >>',
    ...objects,
  },
  pages: [
    {
      mediaBox: [0, 0, 100, 100],
      resources: `/Properties << /Line ${tag} /Art 451 0 R >>`,
      content: `${art} /OC /Art BDC 0 0 1 0 k 60 60 20 20 re f EMC /OC /Line BDC ${content} EMC`,
    },
  ],
});

test('names of layers and inks that are lines in six languages, and others that only begin like them', () => {
  const lines = ['CutContour', 'Dieline', 'die line 2', 'Fold', 'Crease', 'Stanzkontur', 'Schnittlinie', 'Découpe'];
  const more = ['Ligne de pli', 'Línea de corte', 'troquel', 'Linea di taglio', 'fustella', 'Linha de dobra', 'Faca'];
  const chinese = ['刀版', '模切线', '折线', '压痕线'];
  for (const name of [...lines, ...more, ...chinese]) expect(isLineName(name), name).toBe(true);
  const others = [
    'Artwork',
    'Text',
    'Cut-out photo',
    'Folder',
    'Traits de coupe',
    'Plissé',
    'Cortesia',
    'Tagliatelle',
    '折扣',
    'Layer 1',
    '',
  ];
  for (const name of others) expect(isLineName(name), name).toBe(false);
});

test('a layer in process colours is a line by its processing step first, and then by its name', () => {
  expect(layersOf(layered('Layer 7', { more: step('Structural', 'Cutting') }))).toEqual(['Layer 7']);
  expect(layersOf(layered('Layer 7', { more: step('Structural', 'Creasing') }))).toEqual(['Layer 7']);
  expect(layersOf(layered('Dieline'))).toEqual(['Dieline']);
  expect(layersOf(layered('Layer 7'))).toEqual([]);
  // What says that it is something else is something else, whatever it is called.
  expect(layersOf(layered('Dieline', { more: step('Varnish', 'Varnish') }))).toEqual([]);
});

test('by the name alone only paths and text are lines: a picture or a gradient is art; a processing step is believed', () => {
  const picture = `${line} q 20 0 0 20 5 5 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x40 EI Q`;
  expect(layersOf(layered('Cut', { content: picture }))).toEqual([]);
  expect(layersOf(layered('Cut', { content: picture, more: step('Structural', 'Cutting') }))).toEqual(['Cut']);
});

test('a layer that is not printed, or whose lines are inks of their own already, is not separated again', () => {
  expect(layersOf(layered('Cut', { config: '/OFF [450 0 R]' }))).toEqual([]);
  expect(layersOf(layered('Cut', { content: '' }))).toEqual([]);
  const spot = layered('Cut', { content: '/Cut CS 1 SCN 10 10 80 80 re S' });
  const [page] = spot.pages ?? [];
  const space =
    '[/Separation /CutContour /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 1 0 0] >>]';
  const withInk = {
    ...spot,
    pages: [{ ...page, resources: `${page?.resources} /ColorSpace << /Cut ${space} >>` }],
  };
  expect(layersOf(withInk, ['CutContour'])).toEqual([]);
  expect(layersOf(withInk, [])).toEqual(['Cut']);
});

test('a layer with which other content comes or goes stays; a membership of the layer alone is the layer', () => {
  const member = (dict: string) => layered('Cut', { tag: '452 0 R', objects: { 452: `<< /Type /OCMD ${dict} >>` } });
  expect(layersOf(member('/OCGs 450 0 R'))).toEqual(['Cut']);
  expect(layersOf(member('/OCGs [450 0 R 451 0 R] /P /AllOn'))).toEqual([]);
  expect(layersOf(member('/OCGs [450 0 R] /P /AnyOff'))).toEqual([]);
  expect(layersOf(member('/VE [/Not 450 0 R]'))).toEqual([]);
});

/** Everything that may decide about a layer: the default configuration, its order of states, and usage with automatic states. */
const configs = [
  '',
  '/ON [450 0 R 451 0 R]',
  '/BaseState /OFF /ON [450 0 R 451 0 R]',
  '/AS [<< /Event /Print /Category [/Print] /OCGs [450 0 R 451 0 R] >> << /Event /View /Category [/View] /OCGs [450 0 R 451 0 R] >>]',
];

test.skipIf(!areToolsHere()).each(configs)(
  'a copy without the layer is drawn by others as a file that never had its content (%s)',
  (config) => {
    const on = '/Usage << /Print << /PrintState /ON >> /View << /ViewState /ON >> >>';
    const source = kept(layered('Dieline', { config, more: on }));
    const never = kept(layered('Dieline', { config, more: on, content: '' }));
    const copy = path.join(workDir, `hidden-${count}.pdf`);
    writeMendedCopy({ path: source }, { box: 'crop', showsAllLayers: false, hiddenLayers: [450], to: copy });
    const [hidden, plain, whole] = [copy, never, source].map(drawingsOf);
    expect(hidden).toEqual(plain);
    for (const [at, { tool, picture }] of (hidden ?? []).entries()) {
      expect(picture.startsWith('P6'), tool).toBe(true);
      expect(picture === whole?.[at]?.picture, tool).toBe(false);
    }
  },
);

test.each(configs)(
  'the page without lines is the page that never had them, and the rest of the file is left alone (%s)',
  async (config) => {
    const colour = await createColourService();
    const source = kept(layered('Dieline', { config }));
    const before = readFileSync(source);
    const [render, plain] = [source, kept(layered('Dieline', { config, content: '' }))].map((file) =>
      openRenderService({ path: file, workDir }),
    );
    if (!render || !plain) throw new Error('no file');
    const directory = mkdtempSync(path.join(workDir, 'page-'));
    const page = await writeTiles(render, colour, { page: 1, directory, dpis: [72] });
    expect(page.lines).toEqual(['Dieline']);
    const layers = lineLayers(render.file, 1, lineInks(render.file, 1, []));
    const hidden = await render.plates(1, { dpi: 72, box: 'crop', hiddenLayers: layers.map(({ object }) => object) });
    const never = await plain.plates(1, { dpi: 72, box: 'crop' });
    const whole = await render.plates(1, { dpi: 72, box: 'crop' });
    const [shown, expected, all] = [hidden, never, whole].map((plates) =>
      Buffer.from(softProof(plates, colour).pixels),
    );
    expect([shown?.equals(expected ?? Buffer.alloc(0)), shown?.equals(all ?? Buffer.alloc(0))]).toEqual([true, false]);
    const folder = (layer: string) => readFileSync(path.join(directory, layer, '72', '0_0.webp'));
    expect(folder('art').equals(folder('rgb'))).toBe(false);
    const without = mkdtempSync(path.join(workDir, 'page-'));
    expect((await writeTiles(plain, colour, { page: 1, directory: without, dpis: [72] })).lines).toBeUndefined();
    expect(folder('art').equals(readFileSync(path.join(without, 'rgb', '72', '0_0.webp')))).toBe(true);
    expect(readFileSync(source).equals(before)).toBe(true);
    render.close();
    plain.close();
    colour.close();
  },
);
