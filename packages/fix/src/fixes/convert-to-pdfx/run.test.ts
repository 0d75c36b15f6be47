import { filterNames, isDict, isString, type PdfFile, pdfText, profileBytes } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { bytesOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'ConvertToPdfX';
const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/"><pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion><dc:source>kept</dc:source></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const claiming = (content: string): Uint8Array =>
  buildPdf({
    objects: { 30: { dict: '/Type/Metadata/Subtype/XML', data: xmp } },
    catalog: '/Metadata 30 0 R',
    trailer: '/Info<</Title(T)/GTS_PDFXVersion(PDF/X-4)/Trapped/False>>',
    pages: [{ content, extra: '/TrimBox[10 10 90 90]' }],
  });

/** The PDF/X identification in the information dictionary and in XMP metadata. */
const claims = (path: string): [string | null, string] =>
  look(path, (file: PdfFile) => {
    const info = file.info ? file.entry(file.info, 'GTS_PDFXVersion') : null;
    const metadata = file.entry(file.catalog, 'Metadata');
    return [
      isString(info) ? pdfText(info.bytes) : null,
      isDict(metadata) ? Buffer.from(file.stream(metadata.stream)).toString('utf8') : '',
    ];
  });

test('a conforming file is identified in both places; a second run does nothing', async () => {
  const { report, path } = await quicklyFixedBy(buildPdf({ pages: [{ content: '0 1 0 0 k 0 0 9 9 re f' }] }), key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [] });
  const [version, metadata] = claims(path);
  expect(version).toBe('PDF/X-4');
  expect(metadata).toContain('<pdfxid:GTS_PDFXVersion>PDF/X-4<');
  look(path, (file) => expect(file.entry(file.catalog, 'OutputIntents')).toHaveLength(1));
  expect((await quicklyFixedBy(bytesOf(path), key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('a file that breaks rules fails; when only warned, it gets an output intent and no identification', async () => {
  const source = claiming('1 0 0 rg 20 20 9 9 re f');
  const strict = await quicklyFixedBy(source, key);
  expect(strict.report.actions[0]).toMatchObject({ outcome: 'Failed', reason: { code: 'colour' } });
  const { report, path } = await quicklyFixedBy(source, key, { strict: false });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [{ code: 'colour' }] });
  expect(report.changes.map(({ what }) => what)).toEqual(['intent', 'withdrawn']);
  const [version, metadata] = claims(path);
  expect(version).toBe(null);
  expect(metadata).not.toContain('GTS_PDFXVersion>');
  expect(metadata).toContain('<dc:source>kept</dc:source>');
  const twice = await quicklyFixedBy(bytesOf(path), key, { strict: false });
  expect(twice.report.actions[0]).toMatchObject({ outcome: 'NothingToDo', warnings: [{ code: 'colour' }] });
});

test('what can be mended is: LZW, attached files, boxes a rounding apart, presented boxes, an intent that is no press', async () => {
  const lzw = Uint8Array.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01);
  const source = buildPdf({
    objects: {
      30: {
        dict: '/Type/XObject/Subtype/Image/Width 9/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/LZWDecode',
        data: lzw,
      },
      31: { dict: '/N 3', data: profileBytes('srgb') },
    },
    catalog:
      '/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(a)>>]>>/Dests<<>>>>' +
      '/ViewerPreferences<</PrintArea/TrimBox/ViewClip/MediaBox>>' +
      '/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(x)/DestOutputProfile 31 0 R>>]',
    pages: [
      {
        content: 'q 50 0 0 50 20 20 cm /I Do Q',
        resources: '/XObject<</I 30 0 R>>',
        extra: '/BleedBox[10 10 90 90]/TrimBox[9.8 10 90 90.1]',
      },
    ],
  });
  const { report, path } = await quicklyFixedBy(source, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [] });
  look(path, (file) => {
    const names = file.entry(file.catalog, 'Names');
    expect(isDict(names) && [...names.map.keys()]).toEqual(['Dests']);
    const preferences = file.entry(file.catalog, 'ViewerPreferences');
    expect(isDict(preferences) && [...preferences.map.keys()]).toEqual(['ViewClip']);
    expect(file.pages[0]?.boxes.bleed).toEqual([9.8, 10, 90, 90.1]);
    const filters: string[] = [];
    for (let num = 1; num < file.objectCount; num += 1) {
      const dict = file.get(num);
      if (isDict(dict) && dict.map.has('Width')) filters.push(...filterNames(dict, file.resolve));
    }
    expect(filters).toEqual(['FlateDecode']);
  });
  expect((await quicklyFixedBy(bytesOf(path), key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('a file that claims the standard in its information alone is identified in XMP as well', async () => {
  const source = buildPdf({
    objects: { 31: { dict: '/N 4', data: profileBytes('fogra39l-coated') } },
    catalog:
      '/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(FOGRA39)/DestOutputProfile 31 0 R>>]',
    trailer: '/Info<</Title(T)/GTS_PDFXVersion(PDF/X-4)/Trapped/False>>/ID[<00><00>]',
    version: '1.6',
    pages: [{ content: '0 1 0 0 k 0 0 9 9 re f', extra: '/TrimBox[10 10 90 90]' }],
  });
  const { report, path } = await quicklyFixedBy(source, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [] });
  expect(claims(path)[1]).toContain('<pdfxid:GTS_PDFXVersion>PDF/X-4<');
});
