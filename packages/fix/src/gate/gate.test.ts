/** The gate finds deliberately wrong fixes, whichever action they belong to, and accepts correct ones. */
import type { FixGate } from '@pdf2press/contract';
import { buildPdf, type PdfSource, tinyFont } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { type FixKey, fixContracts, fixKeys } from '../fixes/contracts.ts';
import { type GuardedFact, guardedFacts } from '../kind/define-fix.ts';
import { testDir, writePdf } from '../testing/fix-files.ts';
import { checkGate } from './gate.ts';

const tint = (c: string) => `<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[${c}]/N 1>>`;
const program = tinyFont();
const objects: PdfSource['objects'] = {
  50: '<</Type/OCG/Name(Varnish)>>',
  51: '<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Tiny/FirstChar 97/LastChar 97/Widths[700]/FontDescriptor 52 0 R>>',
  52: '<</Type/FontDescriptor/FontName/ABCDEF+Tiny/Flags 4/FontBBox[0 0 600 600]/Ascent 800/Descent -200/ItalicAngle 0/StemV 80/CapHeight 600/FontFile2 53 0 R>>',
  53: { dict: `/Length1 ${program.length}`, data: program },
  54: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  55: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 400 500]/Group<</S/Transparency/CS/DeviceGray>>/Resources<<>>',
    data: '1 g 300 300 20 40 re f 0.4 g 320 300 20 40 re f',
  },
  56: {
    dict: '/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceCMYK/BitsPerComponent 8',
    data: new Uint8Array([200, 0, 0, 0, 0, 200, 0, 0, 0, 0, 200, 0, 0, 0, 0, 200]),
  },
};
const resources =
  `/Font<</T 51 0 R/H 54 0 R>>/XObject<</Im 56 0 R>>/Properties<</Lay 50 0 R>>` +
  `/ColorSpace<</Gold[/Separation/Gold/DeviceCMYK ${tint('0 0.2 0.8 0.1')}]/Other[/Separation/Silver/DeviceCMYK ${tint('0 0.2 0.8 0.1')}]>>` +
  '/ExtGState<</Over<</op true/OPM 1>>/Mask<</SMask<</S/Luminosity/G 55 0 R>>>>/Half<</ca 0.5>>>>';
/** One object of each kind on a large page, so that each covers a small part of it. */
const artwork = {
  spot: '/Gold cs 0.8 scn 40 40 60 60 re f',
  box: '0 1 1 0 k 150 40 50 50 re f',
  white: '0 0 0 0 k 165 55 12 12 re f',
  black: 'q /Over gs 0 0 0 1 k 220 40 30 30 re f Q',
  text: '0 0 0 1 k BT /T 8 Tf 40 300 Td (aaaaaaaa) Tj ET',
  line: '0 0 0 1 K 0.25 w 40 200 m 240 200 l S',
  masked: 'q /Mask gs 0 0 1 rg 300 300 40 40 re f Q',
  layer: '/OC /Lay BDC 0 0 1 0 k 300 40 20 20 re f EMC',
  clipped: 'q 300 150 30 30 re W n 1 0 0 0 k 290 140 60 60 re f Q',
  image: 'q 40 0 0 40 40 400 cm /Im Do Q',
  faint: 'q /Half gs 1 0 0 0 k 200 400 30 30 re f Q',
};
type Artwork = Record<keyof typeof artwork, string>;
const document = (
  change: Partial<Artwork> = {},
  { second = '0 1 0 0 k 20 20 60 60 re f', trim = '10 10 390 490', isSwapped = false } = {},
): Uint8Array => {
  const page = (content: string) => ({
    content,
    resources,
    mediaBox: [0, 0, 400, 500] as const,
    extra: `/TrimBox[${trim}]`,
  });
  const pages = [page(Object.values({ ...artwork, ...change }).join('\n')), page(second)];
  return buildPdf({
    objects,
    catalog: '/OCProperties<</OCGs[50 0 R]/D<</Order[50 0 R]>>>>',
    pages: isSwapped ? pages.reverse() : pages,
  });
};
const changed = (key: keyof Artwork, from: string, to: string): Uint8Array => {
  expect(artwork[key]).toContain(from);
  return document({ [key]: artwork[key].replace(from, to) });
};

const wrongFixes: readonly (readonly [name: string, after: () => Uint8Array])[] = [
  ['everything moved by 4 pt', () => document({ spot: `1 0 0 1 4 0 cm ${artwork.spot}` })],
  ['everything moved by half a point', () => document({ spot: `1 0 0 1 0.5 0 cm ${artwork.spot}` })],
  ['one object moved', () => changed('box', '150 40 50 50', '152 40 50 50')],
  ['one object recoloured', () => changed('box', '0 1 1 0 k', '1 0 0 0 k')],
  ['a spot converted to process colours', () => changed('spot', '/Gold cs 0.8 scn', '0 0.16 0.64 0.08 k')],
  ['a spot with another name', () => changed('spot', '/Gold cs', '/Other cs')],
  ['an overprint removed', () => changed('black', '/Over gs', '')],
  ['an overprint added', () => changed('box', '0 1 1 0 k', '/Over gs 0 1 1 0 k')],
  ['an object removed', () => document({ box: '' })],
  ['a white object gone, and what it knocked out', () => document({ white: '' })],
  ['a glyph removed', () => changed('text', '(aaaaaaaa) Tj', '(aaa) Tj 4.2 0 Td 16.8 0 Td (aaaa) Tj')],
  ['another font', () => changed('text', '/T 8 Tf', '/H 8 Tf')],
  ['a line removed', () => document({ line: '' })],
  ['a soft mask removed', () => changed('masked', '/Mask gs', '')],
  ['layer content removed', () => document({ layer: '' })],
  ['another clipping edge', () => changed('clipped', '300 150 30 30', '300 150 30 27')],
  ['an image moved', () => changed('image', '40 0 0 40 40 400', '40 0 0 40 42 400')],
  ['an opacity removed', () => changed('faint', '/Half gs', '')],
  ['pages in another order', () => document({}, { isSwapped: true })],
  ['a page without content', () => document({}, { second: '' })],
  ['a page box moved', () => document({}, { trim: '10 10 390 480' })],
];

const dir = testDir();
const before = writePdf(document(), dir);
/** The gate's verdict on a changed file with the given limits. */
function gateOf(
  after: Uint8Array,
  rest: {
    mayChange: readonly GuardedFact[];
    mayAdd?: readonly GuardedFact[];
    look?: 'nowhere' | 'whereLogged';
    isEdgeTolerant?: boolean;
  },
): Promise<FixGate> {
  const { mayChange, mayAdd = [], look = 'nowhere', isEdgeTolerant = false } = rest;
  return checkGate({
    before: { path: before },
    after: { path: writePdf(after, testDir()) },
    contract: { mayLookDifferent: look, group: 'objects', isJudgedByPlates: false, mayChange, mayAdd },
    boxes: new Map(),
    method: 'RGB',
    isEdgeTolerant,
    colour: () => Promise.reject(new Error('not asked for')),
    workDir: dir,
    signal: new AbortController().signal,
  });
}

/** Actions whose contracts allow this change; plates and the actions' own tests find their faults. */
const ofInks: readonly FixKey[] = [
  'RemoveObjects',
  'FlattenLayers',
  'RemoveOutside',
  'ColorspaceTransformation',
  'MapSpots',
  'RichBlack',
  'Overprint',
  'FlatteningTransparencies',
];
const ofBoxes: readonly FixKey[] = ['SetPageBoxes', 'RemoveOutside', 'AddBleeds', 'AddTrimMarks', 'ConvertToPdfX'];
/** Actions that redraw edges: differences below a pixel are allowed. */
const ofEdges: readonly FixKey[] = ['FontsOutline', 'FlatteningTransparencies'];
const business: Readonly<Record<string, readonly FixKey[]>> = {
  'a spot converted to process colours': ofInks,
  'a spot with another name': ofInks,
  'an overprint removed': ofInks,
  'an overprint added': ofInks,
  'everything moved by half a point': ofEdges,
  'a line removed': ofEdges,
  'another clipping edge': ofEdges,
  'a page box moved': ofBoxes,
};

test.each(wrongFixes)('the gate finds a wrong fix for every action that may not make it: %s', async (name, make) => {
  const after = make();
  const facts = (await gateOf(after, { mayChange: [] })).broken.map(({ code }) => code.slice('gate.'.length));
  const mayChange = guardedFacts.filter((fact) => fact !== 'pageCount');
  const verdicts = {
    nowhere: (await gateOf(after, { mayChange })).isPassed,
    whereLogged: (await gateOf(after, { mayChange, look: 'whereLogged' })).isPassed,
    redrawn: (await gateOf(after, { mayChange, isEdgeTolerant: true })).isPassed,
    everywhere: true,
  };
  const passing = fixKeys.filter((key) => {
    if (key === 'ImagesToPdf' || fixContracts[key].mayLookDifferent === 'everywhere') return false;
    const { mayChange, mayLookDifferent, redrawsEdges } = fixContracts[key];
    const isFact = facts.some((fact) => !(mayChange as readonly string[]).includes(fact));
    return !isFact && verdicts[redrawsEdges ? 'redrawn' : mayLookDifferent];
  });
  expect(passing).toEqual(business[name] ?? []);
});

test('the gate accepts the same content written in another way', async () => {
  expect(await gateOf(document(), { mayChange: [] })).toMatchObject({ isPassed: true });
  const apart = document({ box: 'q 1 0 0 1 150 40 cm 0 1 1 0 k 0 0 50 50 re f Q' });
  for (const isEdgeTolerant of [true, false])
    expect(await gateOf(apart, { mayChange: [], isEdgeTolerant })).toMatchObject({ isPassed: true, method: 'rgb' });
});

test.each([
  ['a spot converted to process colours', ['inks'], false],
  ['a spot with another name', ['inks'], false],
  ['an overprint removed', ['overprint', 'overprintColours'], false],
  ['an overprint added', ['overprint', 'overprintColours'], true],
] as const)('what an action may only add to stays: %s', async (name, mayAdd, isPassed) => {
  const [, make] = wrongFixes.find(([other]) => other === name) ?? [];
  if (!make) throw new Error(`no such fix: ${name}`);
  const rest = guardedFacts.filter(
    (fact) => fact !== 'pageCount' && !(mayAdd as readonly GuardedFact[]).includes(fact),
  );
  expect((await gateOf(make(), { mayChange: rest, mayAdd })).broken).toHaveLength(isPassed ? 0 : mayAdd.length);
});
