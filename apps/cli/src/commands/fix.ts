import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { FixReport } from '@pdf2press/contract';
import { fixNames, runTask } from '@pdf2press/prepress/runners';
import { localeOption, oneOf, parsed } from './arguments.ts';
import { exitCodes, move, reportingErrors, UsageError, withWorkDir, workParent } from './file-work.ts';
import { inputFile, refuseToOverwrite } from './input-files.ts';

const usage =
  'usage: pdf2press fix FILE|- --out OUT.pdf (--profile P.json | --action NAME [--set name=value …] [--pages RANGE]) … [--log LOG.json]' +
  ' [--report PREFLIGHT.json] [--variable name=value …] [--fail-on error|warning] [--lang xx] [--password P]\n' +
  `       actions: ${fixNames().join(', ')}`;

const text = { type: 'string' } as const;
const options = {
  profile: text,
  action: { type: 'string', multiple: true },
  set: { type: 'string', multiple: true },
  pages: text,
  out: text,
  log: text,
  report: text,
  variable: { type: 'string', multiple: true },
  'fail-on': text,
  lang: text,
  password: text,
} as const;

/** `pdf2press fix`: changes a PDF and says what was changed. OUT appears complete or not at all. */
export const run = (args: string[]): Promise<number> =>
  reportingErrors(async () => {
    const { values, positionals } = parsed(usage, () => parseArgs({ args, allowPositionals: true, options }));
    const [file] = positionals;
    const { out } = values;
    if (file === undefined || positionals.length > 1 || out === undefined) throw new UsageError(usage);
    const failsOnWarning = oneOf(values['fail-on'], 'fail-on', ['error', 'warning'] as const) === 'warning';
    const locale = localeOption(values.lang);
    const profile = await profileOf(values);
    await refuseToOverwrite([file], [out, values.log]);
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
          ...(values.password !== undefined && { password: values.password }),
          ...(values.report !== undefined && { preflightReport: (await readJson(values.report, '--report')) as never }),
        },
        { workDir, signal, isUrgent: true },
      );
      const target = path.resolve(out);
      if (done.out) await move(done.out.path, target);
      const report: FixReport = { ...done, out: done.out && { ...done.out, path: target } };
      if (values.log !== undefined) await writeWhole(values.log, `${JSON.stringify(report, null, 2)}\n`, workDir);
      tell(report, lines);
      if (report.result === 'Error') return exitCodes.resultIsError;
      return report.result === 'Warning' && failsOnWarning ? exitCodes.resultIsError : exitCodes.done;
    };
    return withWorkDir(work, { parent: await workParent(out) });
  });

async function writeWhole(target: string, text: string, workDir: string): Promise<void> {
  const whole = path.join(workDir, 'log.json');
  await writeFile(whole, text);
  await move(whole, path.resolve(target));
}

/** What happened, for a reader on standard error; JSON for a program on standard output. */
function tell({ result, out, actions }: FixReport, lines: readonly string[]): void {
  for (const line of lines) console.error(line);
  const told = actions.map(({ action, outcome, objects, pages }) => ({ action, outcome, objects, pages }));
  console.log(JSON.stringify({ result, out, actions: told }));
}

type Values = {
  profile?: string | undefined;
  action?: string[] | undefined;
  set?: string[] | undefined;
  pages?: string | undefined;
};

/** The profile of `--profile`, or one made of the actions named. @throws UsageError */
async function profileOf(values: Values): Promise<unknown> {
  if (values.profile !== undefined) {
    if (values.action !== undefined || values.set !== undefined) throw new UsageError(usage);
    return readJson(values.profile, '--profile');
  }
  const names = values.action ?? [];
  if (names.length === 0) throw new UsageError(usage);
  const actions = names.map((name) => {
    const key = fixNames().find((known) => known.toLowerCase() === name.toLowerCase());
    if (key === undefined) throw new UsageError(`--action: ${name} (${fixNames().join(', ')})`);
    return { key, when: { is: 'Always' }, settings: {}, ...(values.pages !== undefined && { pages: values.pages }) };
  });
  for (const pair of values.set ?? []) {
    const [name, value] = assignment(pair, '--set');
    for (const action of actions) put(action.settings, name.split('.'), value);
  }
  return { actions };
}

function assignment(pair: string, option: string): [string, string] {
  const equals = pair.indexOf('=');
  if (equals < 1) throw new UsageError(`${option}: ${pair} (name=value)`);
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** Names that would reach into the object's own machinery. */
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
