/** Places where RGB and Lab colours can occur: after a conversion no tool finds any. */
import { spawnSync } from 'node:child_process';
import { interpretPage, isDict, isString, type PdfValue } from '@pdf2press/pdf';
import { buildPdf, type ObjectSource } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { bytesOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'ColorspaceTransformation';
const lab = '[/Lab<</WhitePoint[0.9642 1 0.8249]/Range[-100 100 -100 100]>>]';
const image = (data: Uint8Array, entries: string): ObjectSource => ({
  dict: `/Type/XObject/Subtype/Image${entries}`,
  data,
});
const form = (data: string, entries = ''): ObjectSource => ({
  dict: `/Type/XObject/Subtype/Form/BBox[0 0 20 20]/Resources<<>>${entries}`,
  data,
});

const objects: Record<number, ObjectSource> = {
  10: '<</Type/Annot/Subtype/Square/F 4/Rect[10 10 40 40]/C[1 0 0]/IC[0 0 1]>>',
  11: '<</Type/Annot/Subtype/Widget/FT/Btn/Parent 12 0 R/F 4/Rect[50 10 70 30]/MK<</BC[1 0 0]/BG[0.5 0.5 0.5]>>/AS/On/AP<</N<</On 13 0 R/Off 14 0 R>>/D 15 0 R>>>>',
  12: '<</FT/Btn/T(b)/DA(1 0 0 rg /Helv 9 Tf)/Kids[11 0 R]>>',
  13: form('1 0 0 rg 0 0 20 20 re f'),
  14: form('0 1 0 RG 0 0 20 20 re S'),
  15: form('0 0 1 rg 0 0 20 20 re f', '/Group<</S/Transparency/CS/DeviceRGB>>'),
  16: '<</Type/Annot/Subtype/FreeText/F 4/Rect[80 10 120 30]/Contents(x)/DA(/Helv 9 Tf 0 0 1 rg)>>',
  20: form('0.5 0.5 0.5 rg 0 0 20 20 re f', '/Group<</S/Transparency/CS/DeviceRGB>>'),
  21: '<</Type/ExtGState/SMask<</S/Luminosity/G 20 0 R/BC[1 1 1]>>>>',
  22: `<</NAME 9/Colorants<</Gold[/Separation/Gold ${lab}<</FunctionType 2/Domain[0 1]/C0[100 0 0]/C1[70 10 60]/N 1>>]>>/Process<</ColorSpace/DeviceCMYK/Components[/Black]>>>>`,
  23: { dict: '/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1 0 1]', data: '{exch pop 0 exch 0 exch 0 exch}' },
  24: '[/DeviceN[/Gold/Black]/DeviceCMYK 23 0 R 22 0 R]',
  30: image(new Uint8Array(12).fill(80), '/Width 2/Height 2/ColorSpace/DeviceRGB/BitsPerComponent 8'),
  31: image(
    new Uint8Array(4).fill(80),
    '/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Alternates[<</Image 30 0 R>>]',
  ),
  32: image(new Uint8Array(12).fill(9), '/Width 2/Height 2/ColorSpace/DeviceRGB/BitsPerComponent 8'),
  40: '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[0.1 0 0 0.1 0 0]/CharProcs<</a 41 0 R/b 42 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[9]/Resources<</ColorSpace<</C[/CalRGB<</WhitePoint[0.9505 1 1.089]>>]>>>>>>',
  42: { dict: '', data: '9 0 d0 0 1 0 rg 0 0 9 9 re f' },
  41: { dict: '', data: '9 0 d0 /C cs 0.9 0.1 0.1 sc 0 0 9 9 re f' },
};
const file = buildPdf({
  objects,
  catalog: '/AcroForm<</Fields[12 0 R]/DA(0.2 0.4 0.6 rg /Helv 0 Tf)>>',
  pages: [
    {
      content:
        'q /M gs 0 1 0 rg 0 50 30 30 re f Q /N cs 0.5 0.2 scn 40 50 30 30 re f q 20 0 0 20 80 50 cm /I Do Q BT /T 20 Tf 10 100 Td (a) Tj ET',
      resources: `/ExtGState<</M 21 0 R>>/ColorSpace<</N 24 0 R/Unused ${lab}>>/XObject<</I 31 0 R/Unused 32 0 R>>/Font<</T 40 0 R>>`,
      extra: '/Annots[10 0 R 11 0 R 16 0 R]',
    },
  ],
});

test('annotations, fields, alternative appearances, backdrops, attributes, alternate images and unused resources are converted', async () => {
  const { report, path: out } = await quicklyFixedBy(file, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [] });
  look(out, (pdf) => {
    const at = (value: PdfValue | undefined, ...way: readonly string[]): PdfValue =>
      way.reduce<PdfValue>((dict, one) => (isDict(dict) ? pdf.entry(dict, one) : null), pdf.resolve(value));
    const text = (value: PdfValue): string => (isString(value) ? Buffer.from(value.bytes).toString('latin1') : '');
    const content = (value: PdfValue): string =>
      isDict(value) ? Buffer.from(pdf.stream(value.stream)).toString('latin1') : '';
    const [square, widget, label] = pdf.pages[0]?.annotations ?? [];
    for (const [where, ...way] of [
      [square, 'C'],
      [square, 'IC'],
      [widget, 'MK', 'BC'],
    ] as [PdfValue, ...string[]][])
      expect(at(where, ...way)).toHaveLength(4);
    expect(at(widget, 'MK', 'BG')).toEqual([0, 0, 0, expect.any(Number)]);
    for (const value of [at(widget, 'Parent', 'DA'), at(label, 'DA'), at(pdf.catalog, 'AcroForm', 'DA')])
      expect(text(value)).toMatch(/^(?:\/Helv 9 Tf )?(?:[\d.]+ ){4}k(?: \/Helv \d Tf)?$/);
    for (const way of [['N', 'On'], ['N', 'Off'], ['D']])
      expect(content(at(widget, 'AP', ...way))).toMatch(/^(?:[\d.]+ ){4}[kK] /);
    const list = at(pdf.pages[0]?.resources, 'ExtGState');
    const [state] = isDict(list) ? [...list.map.values()] : [];
    expect(at(state, 'SMask', 'BC')).toEqual([1]);
    expect(at(state, 'SMask', 'G', 'Group', 'CS')).toMatchObject({ name: 'DeviceGray' });
  });
  const qpdf = spawnSync('qpdf', ['--qdf', '--object-streams=disable', out, '-'], { encoding: 'latin1' });
  // Without qpdf on the machine, only the checks above are made.
  if (qpdf.error === undefined) expect(qpdf.stdout.match(/\/(?:DeviceRGB|CalRGB|Lab)\b| (?:rg|RG)\b/g)).toBe(null);
  const twice = await quicklyFixedBy(bytesOf(out), key);
  expect(twice.report.actions[0]?.outcome).toBe('NothingToDo');
});

test.each([
  ['RGB', '/DeviceRGB', 3],
  ['Lab', lab, 3],
])('%s of 16 bits keeps its levels', async (_, space, components) => {
  const width = 300;
  // A ramp with more levels than 8 bits can hold.
  const data = new Uint8Array(width * components * 2);
  const view = new DataView(data.buffer);
  for (let x = 0; x < width; x += 1)
    for (let c = 0; c < components; c += 1) view.setUint16((x * components + c) * 2, 32_000 + x * (c === 0 ? 9 : 1));
  const pdf = buildPdf({
    objects: { 9: image(data, `/Width ${width}/Height 1/ColorSpace ${space}/BitsPerComponent 16`) },
    pages: [{ content: '100 0 0 9 0 0 cm /I Do', resources: '/XObject<</I 9 0 R>>' }],
  });
  const { path: out } = await quicklyFixedBy(pdf, key);
  look(out, (opened) =>
    interpretPage(opened, 1, [
      {
        image({ image: made }) {
          expect(made).toMatchObject({ bitsPerComponent: 16, components: 4, isLossless: true });
          const bytes = opened.stream(made.object);
          const samples = new DataView(bytes.buffer, bytes.byteOffset);
          const cyan = new Set(Array.from({ length: width }, (__, x) => samples.getUint16(x * 8)));
          expect(cyan.size).toBeGreaterThan(width / 2);
        },
      },
    ]),
  );
});

test('ink names keep their bytes, and one of several inks is renamed', async () => {
  const pdf = buildPdf({
    objects: {
      8: {
        dict: '/FunctionType 4/Domain[0 1 0 1]/Range[0 100 -100 100 -100 100]',
        data: '{add 50 mul 100 exch sub 0 0}',
      },
      9: `[/DeviceN[/Gr#fcn/Black] ${lab} 8 0 R]`,
    },
    pages: [{ content: '/N cs 1 0 scn 0 0 9 9 re f', resources: '/ColorSpace<</N 9 0 R>>' }],
  });
  const written = (path: string): (readonly string[])[] =>
    look(path, (opened) => {
      const found: (readonly string[])[] = [];
      interpretPage(opened, 1, [
        { path: ({ state: { fill } }) => void (fill.space.family === 'DeviceN' && found.push(fill.space.written)) },
      ]);
      return found;
    });
  expect(written((await quicklyFixedBy(pdf, key)).path)).toEqual([['Gr\xfcn', 'Black']]);
  const mapped = await quicklyFixedBy(pdf, key, { spotHandling: 'MapTo', mapTo: 'Gold', spotNames: ['Gr*'] });
  expect(written(mapped.path)).toEqual([['Gold', 'Black']]);
});

test('inks declared as components of RGB are treated as RGB; inks merely named Red and Green stay', async () => {
  const pdf = buildPdf({
    objects: {
      8: { dict: '/FunctionType 4/Domain[0 1 0 1 0 1]/Range[0 1 0 1 0 1]', data: '{}' },
      9: '[/DeviceN[/Red/Green/Blue]/DeviceRGB 8 0 R<</Subtype/NChannel/Process<</ColorSpace/DeviceRGB/Components[/Red/Green/Blue]>>>>]',
      10: '[/Separation/Red/DeviceRGB<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[1 0 0]/N 1>>]',
      11: '[/DeviceN[/Red/Green/Blue]/DeviceRGB 8 0 R]',
    },
    pages: [
      {
        content: '/N cs 1 0.5 0 scn 0 0 99 99 re f /S cs 1 scn 99 0 99 99 re f /D cs 1 0.5 0 scn 0 99 99 99 re f',
        resources: '/ColorSpace<</N 9 0 R/S 10 0 R/D 11 0 R>>',
      },
    ],
  });
  const { path: out, report } = await quicklyFixedBy(pdf, key);
  expect(report.actions[0]?.outcome).toBe('Applied');
  const families: string[] = [];
  look(out, (opened) =>
    interpretPage(opened, 1, [{ path: ({ state: { fill } }) => void families.push(fill.space.family) }]),
  );
  expect(families).toEqual(['DeviceCMYK', 'Separation', 'DeviceN']);
});
