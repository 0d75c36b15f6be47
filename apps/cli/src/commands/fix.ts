import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { FixReport, Locale } from '@pdf2press/contract';
import { fixNames, runTask } from '@pdf2press/tasks';
import { localeOption, oneOf, parsed } from './arguments.ts';
import { exitCodes, HelpAsked, move, reportingErrors, UsageError, withWorkDir, workParent } from './file-work.ts';
import { inputFile, refuseToOverwrite } from './input-files.ts';
import { columns, settingsHelp } from './settings-help.ts';

const usage = [
  'usage: pdf2press fix FILE|- --out OUT.pdf|- (--profile P.json | --preset NAME | --action NAME [--set name=value …] …) [--pages RANGE]',
  '         [--log LOG.json|-] [--report PREFLIGHT.json] [--variable name=value …] [--fail-on error|warning] [--lang xx] [--password P]',
  '         [--fonts FOLDER]',
  '       pdf2press fix --list [NAME …] [--json] [--lang xx]',
  '       pdf2press fix --action NAME --help',
  '',
  '  --profile    a fix profile as the product exports it; --preset: one that ships',
  '  --action     one action; several run in the safest order; --set belongs to the action before it',
  '  --set        a parameter: amount=3mm, amount.left=0.125in, marks=crop,slug; bare lengths are millimetres',
  '  --pages      all, odd, even, first, last, 7, 1-4, -1: the pages that actions named here work on',
  '  --fonts      a folder of TrueType and OpenType fonts that EmbedFonts may embed; folders in it count, too',
  '  --log        everything that was done, as JSON; - for standard output instead of the summary',
  '  --report     a preflight report: actions of a profile then run only where it calls for them',
  '  --list       the actions and presets; of those named, their parameters with defaults, types and what is',
  '               allowed, in brackets the values of others with which a parameter counts, below it its form as JSON;',
  '               --action NAME --help does the same',
  '',
  '  exit codes   0 done, 1 an action failed and nothing was written (or a warning, with --fail-on warning),',
  '               2 wrong usage or settings, 3 the file cannot be read, 4 a limit was hit',
  '',
  `  actions      ${fixNames().join(', ')}`,
].join('\n');

/** Wrong usage is told in one line. */
const wrong = `${usage.split('\n').slice(0, 1)} (pdf2press fix --help)`;

const text = { type: 'string' } as const;
const options = {
  profile: text,
  preset: text,
  help: { type: 'boolean', short: 'h' },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  action: { type: 'string', multiple: true },
  set: { type: 'string', multiple: true },
  pages: text,
  out: text,
  log: text,
  report: text,
  fonts: text,
  variable: { type: 'string', multiple: true },
  'fail-on': text,
  lang: text,
  password: text,
} as const;

/** `pdf2press fix`: changes a PDF and tells what was changed. OUT is written completely or not at all. */
export const run = (args: string[]): Promise<number> =>
  reportingErrors(async () => {
    const { values, positionals, tokens } = parsed(usage, () =>
      parseArgs({ args, allowPositionals: true, options, tokens: true }),
    );
    if (values.help && !values.action) throw new HelpAsked(usage);
    if (values.help || values.list) {
      const names = values.help
        ? { from: '--action', named: values.action ?? [] }
        : { from: '--list', named: positionals };
      return list(names, localeOption(values.lang), values.json === true);
    }
    const [file] = positionals;
    const { out } = values;
    if (file === undefined || positionals.length > 1 || out === undefined) throw new UsageError(wrong);
    // Only one result can go to standard output.
    if (out === '-' && values.log === '-') throw new UsageError('--out, --log: both -');
    if (values.json) throw new UsageError('--json: with --list only (--log -)');
    const failsOnWarning = oneOf(values['fail-on'], 'fail-on', ['error', 'warning'] as const) === 'warning';
    const locale = localeOption(values.lang);
    const profile = await profileOf(values, tokens);
    await refuseToOverwrite(
      [file],
      [out, values.log].filter((name) => name !== '-'),
    );
    const work = async (workDir: string, signal: AbortSignal): Promise<number> => {
      const { lines = [], ...done } = await runTask(
        'fix',
        {
          path: await inputFile(file, workDir),
          fileName: path.basename(file),
          profile,
          tellIn: locale,
          out: path.join(workDir, 'out.pdf'),
          variables: Object.fromEntries((values.variable ?? []).map((pair) => assignment(pair, '--variable'))),
          ...(values.fonts !== undefined && { fonts: await fontsIn(values.fonts) }),
          ...(values.password !== undefined && { password: values.password }),
          ...(values.report !== undefined && { preflightReport: (await readJson(values.report, '--report')) as never }),
        },
        { workDir, signal, isUrgent: true },
      );
      const target = out === '-' ? '-' : path.resolve(out);
      if (done.out) await deliver(done.out.path, target);
      const report: FixReport = { ...done, out: done.out && { ...done.out, path: target } };
      const log = `${JSON.stringify(report, null, 2)}\n`;
      if (values.log !== undefined && values.log !== '-') await writeWhole(values.log, log, workDir);
      for (const line of lines) console.error(line);
      if (values.log === '-') process.stdout.write(log);
      else if (target !== '-') console.log(summary(report));
      if (report.result === 'Error') return exitCodes.resultIsError;
      return report.result === 'Warning' && failsOnWarning ? exitCodes.resultIsError : exitCodes.done;
    };
    return withWorkDir(work, {
      parent: out === '-' ? os.tmpdir() : await workParent(out),
      locale: values.lang === undefined ? undefined : locale,
    });
  });

/** The fonts in a folder, by the ending of their names. @throws UsageError */
async function fontsIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && /\.(ttf|otf)$/i.test(entry.name));
    return files.map((file) => path.resolve(file.parentPath, file.name)).sort();
  } catch (error) {
    throw new UsageError(`--fonts: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function writeWhole(target: string, text: string, workDir: string): Promise<void> {
  const whole = path.join(workDir, 'log.json');
  await writeFile(whole, text);
  await move(whole, path.resolve(target));
}

/** Moves the finished file to its name, or writes it to standard output. */
async function deliver(made: string, target: string): Promise<void> {
  if (target !== '-') return move(made, target);
  await pipeline(createReadStream(made), process.stdout, { end: false });
}

/** What happened, for a program. */
function summary({ result, out, actions }: FixReport): string {
  const told = actions.map(({ action, outcome, objects, pages }) => ({ action, outcome, objects, pages }));
  return JSON.stringify({ result, out, actions: told });
}

/** `--list`: the actions and presets, or every parameter of the named ones. */
async function list(
  { from, named }: { from: string; named: readonly string[] },
  locale: Locale,
  isJson: boolean,
): Promise<number> {
  const { describeFix, fixKeys, fixPresets, fixPresetWords } = await import('@pdf2press/fix/contracts');
  const wanted = named.map((name) => actionNamed(name, from));
  const described = fixKeys
    .filter((key) => wanted.length === 0 || wanted.includes(key))
    .map((key) => describeFix(key, locale, 'Millimeters'));
  const presets = wanted.length > 0 ? [] : fixPresets.map(({ key }) => ({ key, ...fixPresetWords(key, locale) }));
  if (isJson) console.log(JSON.stringify({ actions: described, ...(presets.length > 0 && { presets }) }, null, 2));
  else if (wanted.length > 0) for (const fix of described) console.log(settingsHelp(fix));
  else
    console.log(
      [
        ...columns(described.map(({ key, label, help }) => [key, label, help])),
        '',
        ...columns(presets.map(({ key, name, text }) => [`--preset ${key}`, name, text])),
      ].join('\n'),
    );
  return exitCodes.done;
}

type Values = {
  profile?: string | undefined;
  preset?: string | undefined;
  action?: string[] | undefined;
  set?: string[] | undefined;
  pages?: string | undefined;
};
type Token = { kind: string; name?: string; value?: string | undefined };

/** The profile of `--profile` or `--preset`, or one made of the actions named. @throws UsageError */
async function profileOf(values: Values, tokens: readonly Token[]): Promise<unknown> {
  const ways = [values.profile, values.preset, values.action].filter((way) => way !== undefined);
  if (ways.length !== 1) throw new UsageError(wrong);
  if (values.action) return { actions: actionsOf(tokens, values.pages) };
  if (values.set) throw new UsageError('--set: with --action only');
  if (values.pages !== undefined) throw new UsageError('--pages: with --action only');
  return values.profile !== undefined ? readJson(values.profile, '--profile') : presetNamed(values.preset ?? '');
}

async function presetNamed(name: string): Promise<unknown> {
  const { fixPresetOf, fixPresets } = await import('@pdf2press/fix/contracts');
  const preset = fixPresetOf(name);
  if (!preset) throw new UsageError(`--preset: ${name} (${fixPresets.map(({ key }) => key).join(', ')})`);
  return preset.profile;
}

function actionNamed(name: string, option: string): string {
  const key = fixNames().find((known) => known.toLowerCase() === name.toLowerCase());
  if (key === undefined) throw new UsageError(`${option}: ${name} (${fixNames().join(', ')})`);
  return key;
}

/** The actions in the order they are named, each with the parameters behind it; what stands before the first is the first's. */
function actionsOf(tokens: readonly Token[], pages: string | undefined): object[] {
  const actions: { key: string; settings: Record<string, unknown> }[] = [];
  const ahead: string[] = [];
  const set = (settings: Record<string, unknown>, pair: string): void => {
    const [name, value] = assignment(pair, '--set');
    put(settings, name.split('.'), value);
  };
  for (const { kind, name, value = '' } of tokens) {
    if (kind !== 'option') continue;
    const current = actions.at(-1);
    if (name === 'action') actions.push({ key: actionNamed(value, '--action'), settings: {} });
    else if (name === 'set' && current) set(current.settings, value);
    else if (name === 'set') ahead.push(value);
  }
  for (const pair of ahead) if (actions[0]) set(actions[0].settings, pair);
  return actions.map((action) => ({ ...action, when: { is: 'Always' }, ...(pages !== undefined && { pages }) }));
}

function assignment(pair: string, option: string): [string, string] {
  const equals = pair.indexOf('=');
  if (equals < 1) throw new UsageError(`${option}: ${pair} (name=value)`);
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** Names that would change the object's prototype. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: string): void {
  if (name === '' || forbidden.has(name)) throw new UsageError(`--set: ${name}`);
  if (rest.length === 0) {
    // Lists and rules are given as JSON.
    target[name] = /^[[{]/.test(value) ? parseJson(value, name) : value;
    return;
  }
  const inner = target[name];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  target[name] = next;
  put(next, rest, value);
}

function parseJson(value: string, name: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new UsageError(`--set: ${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function readJson(file: string, option: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`${option}: ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  throw new UsageError(`${option}: ${file}: not a JSON object`);
}
