/**
 * What ISO 15930 forbids in a file, found without our own reader: qpdf reads the objects and MuPDF tells which fonts write
 * on a page. It knows fewer rules than the check PdfX and shares no code with it.
 */
import { spawnSync } from 'node:child_process';
import { foreignColourIn, type Json, objectsOf, transparencyIn } from '@pdf2press/pdf/testing';

type Dict = Readonly<Record<string, Json>>;
const isDict = (value: Json | undefined): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const latin1 = (program: string, args: readonly string[]): string =>
  spawnSync(program, args, { encoding: 'latin1', maxBuffer: 1 << 29 }).stdout ?? '';

/** The objects of a file as qpdf lists them, and their values behind references. */
function graphOf(file: string) {
  const [, all] = (
    JSON.parse(
      Buffer.from(latin1('qpdf', ['--json=2', '--json-key=qpdf', '--json-stream-data=none', file]), 'latin1').toString(
        'utf8',
      ),
    ) as {
      qpdf: [unknown, Dict];
    }
  ).qpdf;
  /** The value behind a reference; streams by their dictionaries. */
  const at = (value: Json | undefined): Json => {
    if (typeof value !== 'string' || !/^\d+ \d+ R$/.test(value)) return value ?? null;
    const target = all[`obj:${value}`];
    if (!isDict(target)) return null;
    return at(isDict(target.stream) ? target.stream.dict : target.value);
  };
  const dict = (value: Json | undefined): Dict => {
    const found = at(value);
    return isDict(found) ? found : {};
  };
  const list = (value: Json | undefined): readonly Json[] => {
    const found = at(value);
    return Array.isArray(found) ? found : [];
  };
  const trailer = isDict(all.trailer) ? dict(all.trailer.value) : {};
  return { at, dict, list, trailer };
}
type Graph = ReturnType<typeof graphOf>;

const inherited = ['/MediaBox', '/CropBox'];
/** The pages with what they inherit. */
function pagesOf({ dict, list }: Graph, root: Dict): Dict[] {
  const found: Dict[] = [];
  const walk = (node: Dict, above: Dict, depth: number): void => {
    const kept = Object.fromEntries(inherited.flatMap((key) => (key in node ? [[key, node[key] ?? null]] : [])));
    const own = { ...above, ...kept };
    if (depth > 50) return;
    if ('/Kids' in node) for (const kid of list(node['/Kids'])) walk(dict(kid), own, depth + 1);
    else found.push({ ...own, ...node });
  };
  walk(dict(root['/Pages']), {}, 0);
  return found;
}

const boxOf = ({ list, at }: Graph, value: Json | undefined): number[] | null => {
  const numbers = list(value).map((one) => Number(at(one)));
  if (numbers.length !== 4) return null;
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
};
const isInside = (inner: number[], outer: number[]): boolean =>
  [0, 1].every((i) => (inner[i] ?? 0) >= (outer[i] ?? 0) - 0.01) &&
  [2, 3].every((i) => (inner[i] ?? 0) <= (outer[i] ?? 0) + 0.01);

function boxFaults(graph: Graph, page: Dict, number: number): string[] {
  const box = (key: string) => boxOf(graph, page[key]);
  const [media, bleed, trim, art] = [box('/MediaBox'), box('/BleedBox'), box('/TrimBox'), box('/ArtBox')];
  const shown = trim ?? art;
  return [
    ...(!shown ? ['neither TrimBox nor ArtBox'] : []),
    ...(trim && art ? ['TrimBox and ArtBox'] : []),
    ...(shown && media && !isInside(shown, media) ? ['TrimBox beyond the MediaBox'] : []),
    ...(shown && bleed && !isInside(shown, bleed) ? ['TrimBox beyond the BleedBox'] : []),
    ...(bleed && media && !isInside(bleed, media) ? ['BleedBox beyond the MediaBox'] : []),
  ].map((fault) => `page ${number}: ${fault}`);
}

/** Annotations on the printed area, other than those for the printer. */
function annotationFaults(graph: Graph, page: Dict, number: number): string[] {
  const area = ['/BleedBox', '/TrimBox', '/ArtBox', '/MediaBox'].map((key) => boxOf(graph, page[key])).find(Boolean);
  return graph.list(page['/Annots']).flatMap((one) => {
    const annotation = graph.dict(one);
    const rect = boxOf(graph, annotation['/Rect']);
    const subtype = String(annotation['/Subtype']);
    if (!rect || !area || ['/TrapNet', '/PrinterMark', '/Popup'].includes(subtype)) return [];
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect;
    const [a0 = 0, b0 = 0, a1 = 0, b1 = 0] = area;
    return x0 < a1 && x1 > a0 && y0 < b1 && y1 > b0 ? [`page ${number}: ${subtype} annotation`] : [];
  });
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value.replace(/^[ub]:/, '') : '');

function claimFaults(graph: Graph, file: string, root: Dict, standard: string): string[] {
  const info = graph.dict(graph.trailer['/Info']);
  const isX4 = standard === 'PDF/X-4';
  const metadata = root['/Metadata'];
  const xmp =
    typeof metadata === 'string'
      ? latin1('qpdf', [`--show-object=${metadata.split(' ')[0]}`, '--filtered-stream-data', file])
      : '';
  const said = isX4
    ? (/GTS_PDFXVersion[^>"']*[>"'=]+\s*(PDF\/X-4)\b/.exec(xmp)?.[1] ?? '')
    : text(info['/GTS_PDFXVersion']);
  const claims: Readonly<Record<string, readonly string[]>> = {
    'PDF/X-4': ['PDF/X-4'],
    'PDF/X-1a:2001': ['PDF/X-1:2001'],
    'PDF/X-1a:2003': ['PDF/X-1a:2003'],
  };
  const needed = isX4
    ? ['dc:title', 'CreateDate', 'ModifyDate', 'MetadataDate', 'DocumentID', 'RenditionClass', 'VersionID'].filter(
        (name) => !xmp.includes(name),
      )
    : ['/Title', '/CreationDate', '/ModDate'].filter((key) => !text(info[key]));
  const trapped = isX4 ? (/Trapped[>"'=\s]+(True|False)/.exec(xmp)?.[1] ?? info['/Trapped']) : info['/Trapped'];
  return [
    ...(claims[standard]?.includes(said) ? [] : [`claims ${said || 'nothing'}`]),
    ...needed.map((name) => `lacks ${name}`),
    ...(['/True', '/False', 'True', 'False'].includes(String(trapped)) ? [] : [`Trapped ${trapped}`]),
  ];
}

function intentFaults(graph: Graph, file: string, root: Dict, standard: string): string[] {
  const intents = graph.list(root['/OutputIntents']).map((one) => graph.dict(one));
  const ours = intents.filter((one) => one['/S'] === '/GTS_PDFX');
  const [intent] = ours;
  if (!intent || ours.length !== 1) return [`${ours.length} output intents for PDF/X`];
  const profile = intent['/DestOutputProfile'];
  const found = text(intent['/OutputConditionIdentifier']) ? [] : ['no OutputConditionIdentifier'];
  if (typeof profile !== 'string')
    return standard === 'PDF/X-4' || !text(intent['/RegistryName']) ? [...found, 'no output profile'] : found;
  const bytes = Buffer.from(
    latin1('qpdf', [`--show-object=${profile.split(' ')[0]}`, '--filtered-stream-data', file]),
    'latin1',
  );
  const [kind, space] = [bytes.toString('latin1', 12, 16), bytes.toString('latin1', 16, 20)];
  if (kind !== 'prtr') found.push(`output profile of class ${kind}`);
  if (graph.dict(profile)['/N'] !== ({ CMYK: 4, 'RGB ': 3, GRAY: 1 } as Record<string, number>)[space])
    found.push(`N of a ${space} profile`);
  return found;
}

/** Fonts without a program of which MuPDF writes glyphs that are seen. */
function fontFaults(file: string): string[] {
  const names = latin1('pdffonts', [file])
    .split('\n')
    .slice(2)
    .filter((line) => /\s(?:yes|no)\s+(?:yes|no)\s+(?:yes|no)\s+\d+\s+\d+\s*$/.test(line))
    .flatMap((line) => {
      const [, name = '', emb] = /^(.*?)\s{2,}.*\s(yes|no)\s+(?:yes|no)\s+(?:yes|no)\s+\d+\s+\d+\s*$/.exec(line) ?? [];
      return emb === 'no' ? [name.trim()] : [];
    });
  if (names.length === 0) return [];
  const trace = latin1('mutool', ['trace', file]);
  const written = new Set(
    [...trace.matchAll(/<(?:fill_text|stroke_text|clip_text)[\s\S]*?<\/(?:fill_text|stroke_text|clip_text)>/g)].flatMap(
      ([span]) => [...span.matchAll(/font="([^"]*)"/g)].map(([, name = '']) => name),
    ),
  );
  return names.filter((name) => written.has(name)).map((name) => `${name} is not embedded`);
}

const forbiddenActions = ['/JavaScript', '/Launch', '/Movie', '/Sound', '/SubmitForm', '/ResetForm', '/ImportData'];
const filtersOf = (dict: Dict): string[] => [dict['/Filter']].flat().map(String);

function objectFaults(dicts: readonly Dict[], standard: string): string[] {
  const found = new Set<string>();
  const isX4 = standard === 'PDF/X-4';
  for (const dict of dicts) {
    const state = dict['/Type'] === '/ExtGState' || '/HT' in dict || '/TR' in dict || '/TR2' in dict;
    if (state && '/TR' in dict && dict['/TR'] !== null && !isArrayOf(dict)) found.add('TR');
    if ('/TR2' in dict && dict['/TR2'] !== '/Default') found.add('TR2');
    if ('/HTP' in dict) found.add('HTP');
    if ('/HalftoneName' in dict) found.add('HalftoneName');
    if ('/HalftoneType' in dict && ![1, 5].includes(Number(dict['/HalftoneType']))) found.add('halftone type');
    if ('/OPI' in dict) found.add('OPI');
    if (dict['/Subtype'] === '/PS' || dict['/Subtype2'] === '/PS') found.add('PostScript');
    if ('/Alternates' in dict) found.add('Alternates');
    if (dict['/Subtype'] === '/Form' && '/Ref' in dict) found.add('Ref');
    if ('/JS' in dict || forbiddenActions.includes(String(dict['/S']))) found.add(`action ${dict['/S']}`);
    if ('/AA' in dict) found.add('AA');
    for (const filter of filtersOf(dict)) {
      if (['/LZWDecode', '/LZW', '/Crypt'].includes(filter)) found.add(filter);
      if (!isX4 && ['/JPXDecode', '/JBIG2Decode'].includes(filter)) found.add(filter);
    }
  }
  return [...found];
}
/** A dictionary of more than graphics states: XMP and others use the same letters elsewhere. */
const isArrayOf = (dict: Dict): boolean => '/' in dict;

/** Device RGB in a file for a press of CMYK, unless a default colour space stands for it. */
function deviceRgb(dicts: readonly Dict[]): string[] {
  if (dicts.some((dict) => '/DefaultRGB' in dict)) return [];
  const has = dicts.some((dict) =>
    Array.isArray(dict['/'])
      ? (dict['/'] as readonly Json[]).includes('/DeviceRGB')
      : Object.entries(dict).some(([key, value]) => value === '/DeviceRGB' && key !== '/Alternate'),
  );
  return has ? ['DeviceRGB'] : [];
}

/** Everything that the walk finds against the standard. */
export function faultsByWalk(file: string, standard: 'PDF/X-4' | 'PDF/X-1a:2001' | 'PDF/X-1a:2003'): string[] {
  const graph = graphOf(file);
  const root = graph.dict(graph.trailer['/Root']);
  const dicts = objectsOf(file);
  const pages = pagesOf(graph, root);
  const isX4 = standard === 'PDF/X-4';
  const highest = { 'PDF/X-4': 1.6, 'PDF/X-1a:2001': 1.3, 'PDF/X-1a:2003': 1.4 }[standard];
  const header = Number(/%PDF-(\d\.\d)/.exec(latin1('head', ['-c', '1024', file]))?.[1]);
  const version = Math.max(header, Number(String(root['/Version'] ?? '/0').slice(1)));
  const preferences = graph.dict(root['/ViewerPreferences']);
  return [
    ...(version > highest ? [`PDF ${version}`] : []),
    ...('/Encrypt' in graph.trailer ? ['encrypted'] : []),
    ...(graph.list(graph.trailer['/ID']).length === 2 ? [] : ['no ID']),
    ...claimFaults(graph, file, root, standard),
    ...intentFaults(graph, file, root, standard),
    ...pages.flatMap((page, index) => [
      ...boxFaults(graph, page, index + 1),
      ...annotationFaults(graph, page, index + 1),
    ]),
    ...objectFaults(dicts, standard),
    ...fontFaults(file),
    ...['ViewArea', 'ViewClip', 'PrintArea', 'PrintClip'].filter(
      (key) => ![undefined, '/MediaBox', '/BleedBox'].includes(preferences[`/${key}`] as string | undefined),
    ),
    ...(isX4 ? deviceRgb(dicts) : []),
    ...(isX4 ? [] : transparencyIn(file)),
    ...(isX4 ? [] : foreignColourIn(file)),
    ...(!isX4 && '/OCProperties' in root ? ['layers'] : []),
    ...(!isX4 && dicts.some((dict) => Array.isArray(dict['/']) && dict['/'][0] === '/ICCBased') ? ['ICC colour'] : []),
  ];
}
