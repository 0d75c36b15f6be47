/**
 * R0001: a file that conforms to PDF/X-4, and what ISO 15930-7 forbids in it. Each fault has its neighbours that are
 * permitted.
 */
import { between, isDrawn, num, pick, type Random } from './chance.ts';
import type { Drawn, Family } from './family.ts';
import type { DrawnFile } from './file.ts';
import { grown, unmoved } from './matrix.ts';
import { addPage, paper, placed, trim } from './page.ts';
import { area, cmyk, colourOf, iccSpace, type Look, picture, profileOf, stateOf, text } from './things.ts';

/** What the file says of itself; a fault changes one of these. */
interface Standard {
  version: string;
  trailer: string;
  claim: string;
  /** XMP properties by name. */
  xmp: Map<string, string>;
  trapped: string;
  intents: string[];
  catalog: string;
  layers: string;
  boxes: string;
  /** Entries of the page dictionary. */
  page: string;
}
interface Variation {
  about: string;
  breaks: boolean;
  /** Changes what the file says of itself, or adds a page. */
  apply: (standard: Standard, file: DrawnFile, random: Random) => void;
}

const faulty = (about: string, apply: Variation['apply']): Variation => ({ about, breaks: true, apply });
const sound = (about: string, apply: Variation['apply']): Variation => ({ about, breaks: false, apply });

const box = (values: readonly number[]): string => `[${values.map(num).join(' ')}]`;
const boxesOf = (trimBox: readonly number[], bleedBox: readonly number[]): string =>
  `/TrimBox ${box(trimBox)} /BleedBox ${box(bleedBox)}`;
const bleed = [11, 11, 389, 489];

const intentOf = (entries: string, identifier = '(Custom)'): string =>
  `<< /Type /OutputIntent /S /GTS_PDFX ${identifier && `/OutputConditionIdentifier ${identifier}`} ${entries} >>`;

/** An object of these colours, nested at random and perhaps hidden: the standard is about hidden objects, too. */
const object =
  (look: (file: DrawnFile, random: Random) => Look): Variation['apply'] =>
  (_, file, random) => {
    placed(file, random, area(random, look(file, random)), { breaks: true, about: '', countsHidden: true });
  };
const coloured = (space: (file: DrawnFile) => string, values: readonly number[]): Variation['apply'] =>
  object((file, random) => {
    const colour = colourOf(file, space(file), values);
    return isDrawn(random, 0.5) ? { fill: colour } : { stroke: colour };
  });
const withState = (entries: string): Variation['apply'] =>
  object((file) => ({ state: stateOf(file, entries), fill: cmyk(0, 0.3, 0, 0.4) }));
const pictured =
  (entries: (file: DrawnFile) => string, components: number): Variation['apply'] =>
  (_, file, random) => {
    const data = Uint8Array.from({ length: 100 * components }, () => Math.floor(random() * 256));
    const thing = picture(
      file,
      { columns: 10, rows: 10, entries: `${entries(file)} /BitsPerComponent 8`, data },
      40,
      40,
    );
    placed(file, random, thing, { breaks: true, about: '', countsHidden: true });
  };
const written =
  (mode: number): Variation['apply'] =>
  (_, file, random) => {
    const font = file.use('Font', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
    const thing = text(file, random, 14, mode === 3 ? {} : { fill: cmyk(0, 0, 0, 1) }, font);
    placed(
      file,
      random,
      { ...thing, paint: (unit) => thing.paint(unit).replace(/BT \d Tr/, `BT ${mode} Tr`) },
      { breaks: true, about: '', countsHidden: true },
    );
  };
const annotated =
  (subtype: string, rect: readonly number[], entries = ''): Variation['apply'] =>
  (standard, file) => {
    const look = file.add({
      dict: '/Type /XObject /Subtype /Form /BBox [0 0 10 10]',
      data: '0 0 0 1 k 0 0 10 10 re f',
    });
    standard.page += ` /Annots [<< /Type /Annot /Subtype /${subtype} /Rect ${box(rect)} /F 4 /AP << /N ${look} >> ${entries} >>]`;
  };
/** A form of these entries in the resources of a page, whether it is shown or not. */
const xobject =
  (entries: string, data = '0 0 0 1 k 0 0 10 10 re f'): Variation['apply'] =>
  (_, file, random) => {
    const use = file.use('XObject', { dict: `/Type /XObject ${entries}`, data });
    addPage(file, random, { content: isDrawn(random, 0.5) ? `/${use.name} Do` : '', uses: [use] }, unmoved);
  };
const without =
  (key: string): Variation['apply'] =>
  ({ xmp }) => {
    xmp.delete(key);
  };

const variations: readonly Variation[] = [
  faulty('no claim', (standard) => {
    standard.claim = '';
  }),
  faulty('claims another part', (standard, _, random) => {
    standard.claim = pick(random, ['PDF/X-3:2003', 'PDF/X-1a:2003', 'PDF/X-5g']);
  }),
  faulty('a newer version', (standard, _, random) => {
    standard.version = pick(random, ['1.7', '2.0']);
  }),
  sound('an older version', (standard, _, random) => {
    standard.version = pick(random, ['1.3', '1.4', '1.5']);
  }),
  faulty('no ID', (standard) => {
    standard.trailer = '';
  }),
  ...[
    'dc:title',
    'xmp:CreateDate',
    'xmp:ModifyDate',
    'xmp:MetadataDate',
    'xmpMM:DocumentID',
    'xmpMM:VersionID',
    'xmpMM:RenditionClass',
  ].map((key) => faulty(`no ${key}`, without(key))),
  faulty('Trapped is missing or unknown', (standard, _, random) => {
    standard.trapped = pick(random, ['', '/Unknown']);
  }),
  sound('Trapped is True', (standard) => {
    standard.trapped = '/True';
  }),
  faulty('no output intent', (standard, _, random) => {
    const other = standard.intents[0]?.replace('GTS_PDFX', 'GTS_PDFA1') ?? '';
    standard.intents = isDrawn(random, 0.5) ? [] : [other];
  }),
  faulty('two output intents', (standard) => {
    standard.intents = [...standard.intents, ...standard.intents];
  }),
  sound('an intent for PDF/A beside it', (standard) => {
    standard.intents = [...standard.intents, ...standard.intents.map((one) => one.replace('GTS_PDFX', 'GTS_PDFA1'))];
  }),
  faulty('a registered condition without a profile', (standard) => {
    standard.intents = [intentOf('/RegistryName (http://www.color.org)', '(FOGRA39)')];
  }),
  faulty('the profile of a scanner or a screen', (standard, file, random) => {
    standard.intents = [intentOf(`/DestOutputProfile ${profileOf(file, pick(random, ['scnr', 'mntr']), 'CMYK')}`)];
  }),
  faulty('no identifier', (standard, file) => {
    standard.intents = [intentOf(`/DestOutputProfile ${profileOf(file, 'prtr', 'CMYK')}`, '')];
  }),
  faulty('neither TrimBox nor ArtBox', (standard) => {
    standard.boxes = '';
  }),
  faulty('TrimBox and ArtBox', (standard) => {
    standard.boxes += ` /ArtBox ${box(trim)}`;
  }),
  sound('an ArtBox alone', (standard) => {
    standard.boxes = `/ArtBox ${box(trim)}`;
  }),
  faulty('TrimBox beyond the BleedBox', (standard, _, random) => {
    standard.boxes = boxesOf(trim, grown(trim, -between(random, 1, 30)));
  }),
  faulty('BleedBox beyond the MediaBox', (standard, _, random) => {
    standard.boxes = boxesOf(trim, grown(paper, between(random, 1, 30)));
  }),
  faulty('TrimBox beyond the MediaBox', (standard, _, random) => {
    const wide = grown(paper, between(random, 1, 30));
    standard.boxes = `/TrimBox ${box(wide)}`;
  }),
  sound('all boxes alike', (standard) => {
    standard.boxes = boxesOf(paper, paper);
  }),
  faulty('a font that is not embedded', written(0)),
  sound('a font that is not embedded and only finds text', written(3)),
  faulty(
    'RGB',
    coloured(() => '/DeviceRGB', [0.2, 0.4, 0.6]),
  ),
  faulty(
    'RGB by an index',
    coloured(() => '[/Indexed /DeviceRGB 1 <100000804020>]', [1]),
  ),
  faulty(
    'a spot colour by way of RGB',
    coloured(
      () => '[/Separation /Gold /DeviceRGB << /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 1 1] /C1 [0.8 0.7 0.2] >>]',
      [0.7],
    ),
  ),
  faulty(
    'an RGB picture',
    pictured(() => '/ColorSpace /DeviceRGB', 3),
  ),
  sound(
    'a picture in gray',
    pictured(() => '/ColorSpace /DeviceGray', 1),
  ),
  sound(
    'RGB with a profile',
    coloured((file) => iccSpace(file, 'RGB '), [0.2, 0.4, 0.6]),
  ),
  sound(
    'a picture in RGB with a profile',
    pictured((file) => `/ColorSpace ${iccSpace(file, 'RGB ')}`, 3),
  ),
  sound(
    'Lab',
    coloured(() => '[/Lab << /WhitePoint [0.96 1 0.82] /Range [-100 100 -100 100] >>]', [50, 20, 30]),
  ),
  faulty('overprint mode 1 in CMYK with a profile', (standard, file, random) => {
    const isStroke = isDrawn(random, 0.5);
    const colour = colourOf(file, iccSpace(file, 'CMYK'), [0.2, 0.4, 0, 0]);
    const state = stateOf(file, isStroke ? '/OP true /op false /OPM 1' : '/OP false /op true /OPM 1');
    object(() => ({ state, ...(isStroke ? { stroke: colour } : { fill: colour }) }))(standard, file, random);
  }),
  sound('overprint mode 0 in CMYK with a profile', (standard, file, random) => {
    const colour = colourOf(file, iccSpace(file, 'CMYK'), [0.2, 0.4, 0, 0]);
    object(() => ({ state: stateOf(file, '/OP true /op true /OPM 0'), fill: colour }))(standard, file, random);
  }),
  faulty('a transfer function', (standard, file, random) => {
    const curve = '<< /FunctionType 2 /Domain [0 1] /N 1.2 /C0 [0] /C1 [1] >>';
    withState(`/${pick(random, ['TR', 'TR2'])} ${curve}`)(standard, file, random);
  }),
  faulty('a transfer function that nothing uses', (_, file, random) => {
    const curve = '<< /FunctionType 2 /Domain [0 1] /N 1.2 /C0 [0] /C1 [1] >>';
    const use = file.use('ExtGState', `<< /${pick(random, ['TR', 'TR2'])} ${curve} >>`);
    addPage(file, random, { content: '', uses: [use] }, unmoved);
  }),
  sound('the default transfer function', withState('/TR2 /Default')),
  faulty('a phase of the halftone', withState('/HTP [0 0]')),
  faulty('a halftone of type 6', withState('/HT << /Type /Halftone /HalftoneType 6 /Width 4 /Height 4 >>')),
  faulty(
    'a halftone with a name',
    withState(
      '/HT << /Type /Halftone /HalftoneType 1 /Frequency 60 /Angle 45 /SpotFunction /Round /HalftoneName (Fine) >>',
    ),
  ),
  sound(
    'a plain halftone',
    withState('/HT << /Type /Halftone /HalftoneType 1 /Frequency 60 /Angle 45 /SpotFunction /Round >>'),
  ),
  sound('transparency', withState('/ca 0.5 /BM /Multiply')),
  faulty('PostScript', xobject('/Subtype /PS', '%!PS')),
  faulty('PostScript by Subtype2', xobject('/Subtype /Form /Subtype2 /PS /BBox [0 0 10 10]')),
  faulty('a reference', xobject('/Subtype /Form /BBox [0 0 10 10] /Ref << /F (other.pdf) /Page 0 >>')),
  faulty('OPI', xobject('/Subtype /Form /BBox [0 0 10 10] /OPI << /1.3 << /Type /OPI /Version 1.3 /F (a.tif) >> >>')),
  sound('a form', xobject('/Subtype /Form /BBox [0 0 10 10]')),
  faulty(
    'an alternate picture',
    pictured((file) => {
      const other = file.add({
        dict: '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
        data: 'x',
      });
      return `/ColorSpace /DeviceGray /Alternates [<< /Image ${other} /DefaultForPrinting true >>]`;
    }, 1),
  ),
  faulty('an action when it is opened', (standard, _, random) => {
    const action = pick(random, ['/S /JavaScript /JS (app.alert\\(1\\))', '/S /URI /URI (http://example.com)']);
    standard.catalog += ` /OpenAction << ${action} >>`;
  }),
  faulty('an action of the page', (standard) => {
    standard.page += ' /AA << /O << /S /Named /N /NextPage >> >>';
  }),
  faulty('a script by name', (standard) => {
    standard.catalog += ' /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (1) >>] >> >>';
  }),
  sound('a page to open', (standard) => {
    standard.catalog += ' /OpenAction [0 /Fit]';
  }),
  faulty('a note in the trim', annotated('Text', [100, 100, 120, 120])),
  faulty('a frame in the bleed', annotated('Square', [12, 100, 19, 120])),
  sound('a note outside of the bleed', annotated('Text', [1, 1, 9, 9])),
  sound("a printer's mark", annotated('PrinterMark', [1, 1, 9, 9])),
  faulty('layers that switch by event', (standard, file) => {
    const own = file.layer(true);
    standard.layers = `/AS [<< /Event /Print /Category [/Print] /OCGs [${own}] >>]`;
  }),
  faulty('a configuration without a name', (standard, file) => {
    file.layer(true);
    standard.layers = '/Configs';
  }),
  sound('layers', (_, file) => {
    file.layer(true);
  }),
  faulty('presents another box than the MediaBox or BleedBox', (standard, _, random) => {
    const key = pick(random, ['ViewArea', 'ViewClip', 'PrintArea', 'PrintClip']);
    standard.catalog += ` /ViewerPreferences << /${key} /${pick(random, ['TrimBox', 'CropBox', 'ArtBox'])} >>`;
  }),
  sound('presents the BleedBox', (standard, _, random) => {
    const key = pick(random, ['ViewArea', 'ViewClip', 'PrintArea', 'PrintClip']);
    standard.catalog += ` /ViewerPreferences << /${key} /${pick(random, ['MediaBox', 'BleedBox'])} >>`;
  }),
];

const now = '2026-03-01T10:00:00Z';

function conforming(file: DrawnFile): Standard {
  return {
    version: '1.6',
    trailer: '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]',
    claim: 'PDF/X-4',
    xmp: new Map([
      ['dc:title', '<rdf:Alt><rdf:li xml:lang="x-default">Case</rdf:li></rdf:Alt>'],
      ['xmp:CreateDate', now],
      ['xmp:ModifyDate', now],
      ['xmp:MetadataDate', now],
      ['xmpMM:DocumentID', 'uuid:00112233-4455-6677-8899-aabbccddeeff'],
      ['xmpMM:VersionID', '1'],
      ['xmpMM:RenditionClass', 'default'],
    ]),
    trapped: '/False',
    intents: [intentOf(`/DestOutputProfile ${profileOf(file, 'prtr', 'CMYK')}`)],
    catalog: '',
    layers: '',
    boxes: boxesOf(trim, bleed),
    page: '',
  };
}

function xmpOf({ claim, xmp }: Standard): string {
  const properties = [...xmp, ...(claim ? [['pdfxid:GTS_PDFXVersion', claim] as const] : [])];
  const names = [
    ['dc', 'http://purl.org/dc/elements/1.1/'],
    ['xmp', 'http://ns.adobe.com/xap/1.0/'],
    ['xmpMM', 'http://ns.adobe.com/xap/1.0/mm/'],
    ['pdfxid', 'http://www.npes.org/pdfx/ns/id/'],
  ].map(([prefix, space]) => `xmlns:${prefix}="${space}"`);
  return [
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    `<rdf:Description rdf:about="" ${names.join(' ')}>`,
    ...properties.map(([name, value]) => `<${name}>${value}</${name}>`),
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>',
  ].join('\n');
}

function draw(file: DrawnFile, random: Random): Drawn {
  const standard = conforming(file);
  const variation = pick(random, variations);
  variation.apply(standard, file, random);
  addPage(file, random, { content: '0 0 0 0.5 k 60 60 200 100 re f', uses: [] }, unmoved);
  const last = file.pages.at(-1);
  if (last) last.extra = `${standard.boxes} ${standard.page}`;
  if (standard.layers === '/Configs') file.layerEntries = '/Configs [<< /OFF [] >>]';
  else file.layerDefaults = standard.layers;
  const metadata = file.add({ dict: '/Type /Metadata /Subtype /XML', data: xmpOf(standard) });
  const info = file.add(`<< /Producer (Case) ${standard.trapped && `/Trapped ${standard.trapped}`} >>`);
  file.version = standard.version;
  file.trailer = `${standard.trailer} /Info ${info}`;
  file.catalog = `/Metadata ${metadata} /OutputIntents [${standard.intents.join(' ')}] ${standard.catalog}`;
  return { breaks: variation.breaks, about: variation.about };
}

export const standardFamilies: readonly Family[] = [
  {
    rule: 'GWG2022:R0001',
    preset: 'gwg2022-sheetcmyk-cmyk',
    isOfFile: true,
    wording: 'The file does not conform to PDF/X-4 (ISO 15930-7).',
    draw,
  },
];
