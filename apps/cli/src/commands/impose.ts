import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { PlanProblem } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';
import { type ImposeLayout, imposeLayouts } from '@pdf2press/contract/impose-layouts';
import { type Unit, unitSymbols, units } from '@pdf2press/contract/units';
import { type ImposeOutput, type ImposeParams, runTask } from '@pdf2press/tasks';
import { localeOption, parsed } from './arguments.ts';
import { exitCodes, HelpAsked, move, reportingErrors, UsageError, withWorkDir, workParent } from './file-work.ts';
import { expandGlobs, inputFile, refuseToOverwrite } from './input-files.ts';
import { settingsHelp } from './settings-help.ts';

/** `DieCut` is `die-cut` on the command line. */
const layoutNames: Readonly<Record<string, ImposeLayout>> = Object.fromEntries(
  imposeLayouts.map((layout) => [layout.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase(), layout]),
);

const usage =
  'usage: pdf2press impose FILE|- … --out OUT.pdf [--profile P.json] [--layout NAME] [--set name=value …] [--plan PLAN.json]' +
  ' [--plan-only] [--jdf X.jdf] [--xjdf X.xjdf] [--dummy X.pdf] [--register X.pdf] [--dies X.pdf] [--die-file DIE.pdf|.dxf|.cf2|.dds] [--color-bar BAR.pdf] [--unit mm|cm|m|in|ft] [--lang xx] [--password P]\n' +
  '       pdf2press impose --layout NAME --help [--unit mm] [--lang xx]: the settings of a layout\n' +
  `       layouts: ${Object.keys(layoutNames).join(', ')}`;

/** Where each product of an imposition goes; the option has the product's name. */
const outputOptions = {
  out: 'output',
  plan: 'plan',
  jdf: 'jdf',
  xjdf: 'xjdf',
  dummy: 'dummy',
  register: 'register',
  dies: 'dies',
} as const satisfies Record<string, ImposeOutput>;
type OutputOption = keyof typeof outputOptions;

const text = { type: 'string' } as const;
const options = {
  help: { type: 'boolean', short: 'h' },
  profile: text,
  layout: text,
  set: { type: 'string', multiple: true },
  out: text,
  plan: text,
  'plan-only': { type: 'boolean' },
  jdf: text,
  xjdf: text,
  dummy: text,
  register: text,
  dies: text,
  'die-file': text,
  'color-bar': text,
  unit: text,
  lang: text,
  password: text,
} as const;

/** `pdf2press impose`: puts pages on sheets. Files get their names only when they are complete. */
export const run = (args: string[]): Promise<number> =>
  reportingErrors(async () => {
    const { values, positionals } = parsed(usage, () => parseArgs({ args, allowPositionals: true, options }));
    if (values.help) return help(values);
    const files = await expandGlobs(positionals);
    const isPlanOnly = values['plan-only'] === true;
    if (files.length === 0 || (values.out === undefined && !isPlanOnly)) throw new UsageError(usage);
    const reader = { locale: localeOption(values.lang), unit: unitOf(values.unit) };
    const profile = await readProfileFile(values);
    const wanted = (Object.keys(outputOptions) as OutputOption[]).filter(
      (option) => values[option] !== undefined && !(isPlanOnly && option === 'out'),
    );
    await refuseToOverwrite(
      files,
      wanted.map((option) => values[option]),
    );
    const outputs = wanted.map((option) => outputOptions[option]);
    const { password } = values;
    const work = async (workDir: string, signal: AbortSignal): Promise<number> => {
      const inputs = await Promise.all(
        files.map(async (file) => ({
          path: await inputFile(file, workDir),
          ...(password !== undefined && { password }),
        })),
      );
      const params: ImposeParams = {
        inputs,
        profile,
        outputs: isPlanOnly && !outputs.includes('plan') ? [...outputs, 'plan'] : outputs,
        variables: { 'file.name': path.basename(files[0] ?? ''), date: new Date().toISOString().slice(0, 10) },
        ...(values['die-file'] === undefined ? {} : { dieFile: path.resolve(values['die-file']) }),
        tellIn: reader,
      };
      const result = await runTask('impose', params, { workDir, signal, isUrgent: true });
      if (!result.ok) {
        say(result.problems, result.sentences);
        return result.problems.some(({ code }) => code.startsWith('impose.tooMany'))
          ? exitCodes.limit
          : exitCodes.usage;
      }
      say(result.warnings, result.sentences);
      const written = await place(result.files, values, workDir);
      if (isPlanOnly && values.plan === undefined)
        console.log((await readFile(path.join(workDir, 'plan.json'), 'utf8')).trim());
      else
        console.log(
          JSON.stringify({ layout: result.layout, sheets: result.sheets, files: written, warnings: result.warnings }),
        );
      return exitCodes.done;
    };
    return withWorkDir(work, values.out === undefined ? {} : { parent: await workParent(values.out) });
  });

/** `--help`, of a layout with its settings. @throws HelpAsked without a layout */
async function help({ layout, lang, unit }: { layout?: string; lang?: string; unit?: string }): Promise<number> {
  if (layout === undefined) throw new HelpAsked(usage);
  const { describeLayout } = await import('@pdf2press/impose/contracts');
  console.log(settingsHelp(describeLayout(layoutNamed(layout), localeOption(lang), unitOf(unit))));
  return exitCodes.done;
}

/** A layout by its name on the command line or in a profile. @throws UsageError */
function layoutNamed(name: string): ImposeLayout {
  const layout = layoutNames[name] ?? imposeLayouts.find((known) => known === name);
  if (layout === undefined) throw new UsageError(`--layout: ${name} (${Object.keys(layoutNames).join(', ')})`);
  return layout;
}

type Values = { [K in keyof typeof options]?: string | string[] | boolean | undefined } & {
  [K in OutputOption]?: string | undefined;
};

function besideOutput(out: string | undefined): string | undefined {
  if (out === undefined) return undefined;
  const { dir, name } = path.parse(out);
  return path.join(dir, `${name}-dies.pdf`);
}

/** Moves finished files to their names; several pictures are numbered. */
async function place(
  files: readonly { output: ImposeOutput; name: string }[],
  values: Values,
  workDir: string,
): Promise<string[]> {
  const written: string[] = [];
  for (const option of Object.keys(outputOptions) as OutputOption[]) {
    const made = files.filter((file) => file.output === outputOptions[option]);
    // A separate die file is written beside the sheets, also where no option names it.
    const target = values[option] ?? (option === 'dies' ? besideOutput(values.out) : undefined);
    if (target === undefined) continue;
    for (const [index, { name }] of made.entries()) {
      const { dir, name: base, ext } = path.parse(path.resolve(target));
      const file =
        made.length === 1 ? path.resolve(target) : path.join(dir, `${base}-${index + 1}${ext || path.extname(name)}`);
      await move(path.join(workDir, name), file);
      written.push(file);
    }
  }
  return written;
}

/** The profile of `--profile`, or an empty one of `--layout`, with every `--set` put in. @throws UsageError */
async function readProfileFile(values: {
  out?: string | undefined;
  profile?: string | undefined;
  layout?: string | undefined;
  set?: string[] | undefined;
  'color-bar'?: string | undefined;
}): Promise<unknown> {
  const profile = values.profile === undefined ? {} : await readJson(values.profile);
  if (values.layout !== undefined) {
    profile.type = layoutNamed(values.layout);
  }
  if (profile.type === undefined) throw new UsageError(usage);
  for (const setting of values.set ?? []) {
    const equals = setting.indexOf('=');
    if (equals < 1) throw new UsageError(`--set: ${setting} (name=value)`);
    putSetting(profile, setting.slice(0, equals).split('.'), setting.slice(equals + 1));
  }
  const bar = values['color-bar'];
  if (bar !== undefined) {
    putSetting(profile, ['marks', 'colorBar', 'enabled'], true);
    putSetting(profile, ['marks', 'colorBar', 'strip'], await attachmentOf(bar));
  }
  const format = pictureFormats[path.extname(values.out ?? '').toLowerCase()];
  const { output } = profile;
  // The ending of the name decides the format unless an option does.
  if (format !== undefined && isRecord(output) && output.kind === 'Image') output.format ??= format;
  return profile;
}

/** A file as a profile carries it. @throws FileFaultError FILE_NOT_FOUND */
async function attachmentOf(file: string): Promise<{ name: string; data: string }> {
  try {
    return { name: path.basename(file), data: (await readFile(file)).toString('base64') };
  } catch (error) {
    throw new FileFaultError('FILE_NOT_FOUND', {}, { cause: error });
  }
}

const pictureFormats: Readonly<Record<string, string>> = {
  '.png': 'PNG',
  '.jpg': 'JPEG',
  '.jpeg': 'JPEG',
  '.tif': 'TIFF',
  '.tiff': 'TIFF',
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function readJson(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isRecord(value)) return value;
  } catch (error) {
    throw new UsageError(`--profile: ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  throw new UsageError(`--profile: ${file}: not a profile`);
}

/** Names that would change the object's prototype. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

function putSetting(target: Record<string, unknown>, names: readonly string[], value: unknown): void {
  const [name = '', ...rest] = names;
  if (name === '' || forbidden.has(name)) throw new UsageError(`--set: ${names.join('.')}`);
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  // `sheet=SRA3` and then `sheet.orientation=Landscape`: the short form becomes the name of the long one.
  const next =
    typeof inner === 'object' && inner !== null
      ? (inner as Record<string, unknown>)
      : typeof inner === 'string'
        ? { name: inner }
        : {};
  target[name] = next;
  putSetting(next, rest, value);
}

function unitOf(symbol: string | undefined): Unit {
  if (symbol === undefined) return 'Millimeters';
  const unit = units.find((known) => unitSymbols[known] === symbol || known === symbol);
  if (!unit) throw new UsageError(`--unit: ${symbol} (${Object.values(unitSymbols).join(', ')})`);
  return unit;
}

/** One line each on standard error: code, setting, and its sentence, which the child process has the words for. */
function say(problems: readonly PlanProblem[], sentences: readonly string[] = []): void {
  // A wrong short form (`margins=5mm`) is reported once and not for each of its parts.
  const said = new Set<string>();
  for (const [index, problem] of problems.entries()) {
    const sentence = sentences[index] ?? '';
    const key = `${problem.field.split('.')[0]} ${sentence}`;
    if (said.has(key)) continue;
    said.add(key);
    console.error(`${problem.code}: ${problem.field}: ${sentence}`);
  }
}
