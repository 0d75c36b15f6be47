/**
 * Results of independent tools for a file: validity, rendering, remaining transparency and colours. Used to test fixes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The tools that check a file. */
export const toolNames = ['qpdf', 'gs', 'mutool', 'poppler'] as const;
export type Tool = (typeof toolNames)[number];

interface Verdict {
  /** The exit code. */
  status: number;
  /** True when the tool succeeded but printed an error message. */
  complains: boolean;
}
export type Verdicts = Record<Tool, Verdict>;

const run = (command: string, args: readonly string[], maxBuffer = 1 << 24) =>
  spawnSync(command, args, { timeout: 200_000, encoding: 'latin1', maxBuffer });

/** True when all tools are installed. */
export const areToolsHere = (): boolean =>
  ['qpdf', 'gs', 'mutool', 'pdftoppm', 'pdffonts', 'pdfimages'].every((tool) => run(tool, ['-v']).error === undefined);

const commands: Readonly<Record<Tool, (file: string, dir: string) => readonly [string, ...string[]]>> = {
  qpdf: (file) => ['qpdf', '--check', file],
  gs: (file) => ['gs', '-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=ppmraw', '-r20', '-o', '/dev/null', file],
  mutool: (file) => ['mutool', 'draw', '-q', '-r', '20', '-F', 'ppm', '-o', '/dev/null', file],
  poppler: (file, dir) => ['pdftoppm', '-r', '20', '-l', '3', file, path.join(dir, 'page')],
};
/** The first page as Poppler and MuPDF draw it at 72 dpi, as PPM. */
export const drawingsOf = (file: string): { tool: Tool; picture: string }[] => [
  { tool: 'poppler', picture: run('pdftoppm', ['-r', '72', '-singlefile', file]).stdout },
  { tool: 'mutool', picture: run('mutool', ['draw', '-q', '-r', '72', '-F', 'ppm', '-o', '-', file, '1']).stdout },
];

const complaints = /^\s*(?:\*{4} Error|error:|Syntax Error|Internal Error)/im;

/** The verdict of each tool about a file. */
export function verdictsOf(file: string): Verdicts {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fix-verdict-'));
  const verdict = (tool: Tool): Verdict => {
    const [command, ...args] = commands[tool](file, dir);
    const { status, stdout, stderr } = run(command, args);
    return { status: status ?? 99, complains: complaints.test(`${stderr}\n${stdout}`) };
  };
  try {
    return { qpdf: verdict('qpdf'), gs: verdict('gs'), mutool: verdict('mutool'), poppler: verdict('poppler') };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The tools whose verdict became worse: a higher exit code, or an error message where there was none. */
export const worseOf = (before: Verdicts, after: Verdicts): Tool[] =>
  toolNames.filter(
    (tool) => after[tool].status > before[tool].status || (after[tool].complains && !before[tool].complains),
  );

/** A value in the JSON output of qpdf: names `/Name`, references `1 0 R`, strings `u:…`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonDict = { readonly [key: string]: Json };

/** Every object of a file that can be reached, read by qpdf; streams by their dictionaries. */
export function objectsOf(file: string): JsonDict[] {
  const { stdout } = run('qpdf', ['--json=2', '--json-key=qpdf', '--json-stream-data=none', file], 1 << 29);
  const [, all] = (JSON.parse(Buffer.from(stdout, 'latin1').toString('utf8')) as { qpdf: [unknown, JsonDict] }).qpdf;
  const found: JsonDict[] = [];
  const seen = new Set<string>();
  const isWhole = (value: Json | undefined): value is JsonDict =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const waiting: Json[] = [isWhole(all.trailer) ? (all.trailer.value ?? null) : null];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string' && / \d+ R$/.test(value)) {
      const target = all[`obj:${value}`];
      if (seen.has(value) || !isWhole(target)) continue;
      seen.add(value);
      waiting.push(isWhole(target.stream) ? (target.stream.dict ?? null) : (target.value ?? null));
    } else if (Array.isArray(value)) {
      // Arrays are included as well, because colour spaces are arrays.
      found.push({ '/': value });
      waiting.push(...value);
    } else if (isWhole(value)) {
      found.push(value);
      waiting.push(...Object.values(value));
    }
  }
  // Add the dictionary of the ICC profile to an array, which tells its number of components.
  return found.map((dict) => {
    const [kind, target] = Array.isArray(dict['/']) ? (dict['/'] as Json[]) : [];
    const profile = kind === '/ICCBased' && typeof target === 'string' ? all[`obj:${target}`] : undefined;
    return isWhole(profile) && isWhole(profile.stream) ? { ...dict, '/Profile': profile.stream.dict ?? null } : dict;
  });
}

/** Kinds of transparency that a file still contains. */
export function transparencyIn(file: string): string[] {
  const left = objectsOf(file).flatMap((dict) => [
    ...('/SMask' in dict && !['/None', null].includes(dict['/SMask'] as string | null) ? ['SMask'] : []),
    ...(typeof dict['/SMaskInData'] === 'number' && dict['/SMaskInData'] > 0 ? ['SMaskInData'] : []),
    ...['/CA', '/ca'].filter((key) => typeof dict[key] === 'number' && dict[key] < 1).map((key) => key.slice(1)),
    ...('/BM' in dict && !['/Normal', '/Compatible'].includes(String(dict['/BM'])) ? [`BM ${dict['/BM']}`] : []),
    ...(dict['/S'] === '/Transparency' ? ['group'] : []),
  ]);
  return [...new Set(left)].sort();
}

/**
 * The content of all streams as text, without strings and comments, which could look like operators. No string is longer than
 * 32,767 bytes (ISO 32000-1, annex C); without that end, an opening parenthesis in the pixels of a large image overflows the stack.
 */
const plain = (file: string): string =>
  run('qpdf', ['--qdf', '--object-streams=disable', file, '-'], 1 << 29)
    .stdout.replace(/\((?:\\.|[^\\()]){0,32767}\)/g, '()')
    .replace(/%[^\n]*/g, '');
const foreignOperators = /(?<=[\n ](?:-?[\d.]+ ){3})(?:rg|RG)\b|\/CS \/(?:RGB|DeviceRGB)\b/g;
const threeNumbers = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.length === 3 && value.every((one) => typeof one === 'number');
const foreignNames = ['/DeviceRGB', '/CalRGB'];

/** RGB, Lab and CalRGB that a file still contains: spaces, operators, images, colours of annotations. */
export function foreignColourIn(file: string): string[] {
  const ofObjects = objectsOf(file).flatMap((dict) => {
    const values = Array.isArray(dict['/']) ? (dict['/'] as Json[]) : Object.values(dict);
    const profile = dict['/Profile'] as JsonDict | undefined;
    return [
      ...values.filter((value) => typeof value === 'string' && foreignNames.includes(value)).map(String),
      ...(values[0] === '/Lab' && Array.isArray(dict['/']) ? ['/Lab'] : []),
      ...(profile?.['/N'] === 3 ? ['/ICCBased of three channels'] : []),
      ...('/Rect' in dict && '/Subtype' in dict && threeNumbers(dict['/C']) ? ['/C of an annotation'] : []),
      ...['/IC', '/BG', '/BC'].filter((key) => threeNumbers(dict[key])),
      ...(/\b(?:rg|RG)\b/.test(String(dict['/DA'] ?? '')) ? ['/DA'] : []),
    ];
  });
  const images = run('pdfimages', ['-list', file])
    .stdout.split('\n')
    .filter((line) => /\b(?:rgb|lab)\b/.test(line));
  return [...new Set([...ofObjects, ...(plain(file).match(foreignOperators) ?? []), ...images])];
}

/** The lines of poppler's list of fonts. */
export const fontsIn = (file: string): string[] => run('pdffonts', [file]).stdout.trim().split('\n').slice(2);
