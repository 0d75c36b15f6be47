import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FileFaultError, type Locale, type PreflightReport } from '@pdf2press/contract';
import {
  type CheckKey,
  checkContracts,
  checkKeys,
  checkLabel,
  describeCheck,
  findingSentence,
  presetOf,
  presets,
} from '@pdf2press/preflight/contracts';
import { type PreflightParams, runTask } from '@pdf2press/tasks';
import { localeOption, oneOf, parsed } from './arguments.ts';
import {
  exitCodes,
  type Failure,
  failureOf,
  HelpAsked,
  move,
  oneLine,
  reportingErrors,
  systemLocale,
  UsageError,
  withWorkDir,
} from './file-work.ts';
import { distinctNames, expandGlobs, inputFile, refuseToOverwrite } from './input-files.ts';
import { settingsHelp } from './settings-help.ts';

const usage =
  'usage: pdf2press preflight FILE|- … --preset NAME | --profile P.json [--json OUT] [--report OUT.pdf] [--annotated OUT.pdf]' +
  ' [--lang xx] [--var name=value …] [--password P] [--before FILE] [--fail-on error|warning]\n       pdf2press preflight --list-presets\n       pdf2press preflight --check NAME --help [--lang xx]: the settings of a check';

const text = { type: 'string' } as const;
const options = {
  help: { type: 'boolean', short: 'h' },
  check: text,
  preset: text,
  profile: text,
  json: text,
  report: text,
  annotated: text,
  lang: text,
  var: { type: 'string', multiple: true },
  password: text,
  before: text,
  'fail-on': text,
  'list-presets': { type: 'boolean' },
} as const;

interface Job {
  file: string;
  profile: unknown;
  locale: Locale;
  password: string | undefined;
  variables: Record<string, string>;
  json: string | null;
  report: string | null;
  annotated: string | null;
  failOn: 'error' | 'warning';
  /** The version before. */
  before: string | undefined;
}

/**
 * `pdf2press preflight`: checks PDFs against a preset or a profile. Without `--json` the report is printed: as sentences
 * on a terminal, else as JSON (a list for several files). A file that cannot be read is an object with its error.
 */
export const run = (args: string[]): Promise<number> => reportingErrors(() => runAll(args));

async function runAll(args: string[]): Promise<number> {
  const { values, positionals } = parsed(usage, () =>
    parseArgs({ args: bareJsonIsStdout(args), allowPositionals: true, options }),
  );
  if (values.help || values.check !== undefined) {
    if (!values.help) throw new UsageError('--check: with --help only');
    if (values.check === undefined) throw new HelpAsked(usage);
    console.log(settingsHelp(describeCheck(checkNamed(values.check), localeOption(values.lang), 'Millimeters')));
    return exitCodes.done;
  }
  if (values['list-presets']) {
    for (const preset of presets)
      console.log(`${preset.key.padEnd(36)} ${preset.group.padEnd(8)} v${preset.version}  ${preset.name}`);
    return exitCodes.done;
  }
  const files = await expandGlobs(positionals);
  if (files.length === 0) throw new UsageError(usage);
  const chosen = await readProfileOption(values);
  if (values.before !== undefined && files.length > 1) throw new UsageError('--before: for one file only');
  const profile = values.before === undefined ? chosen : comparing(chosen);
  const failOn = oneOf(values['fail-on'], 'fail-on', ['error', 'warning'] as const) ?? 'error';
  const variables = Object.fromEntries((values.var ?? []).map(variable));
  const isMany = files.length > 1;
  const names = distinctNames(files);
  const reports: (PreflightReport | Failure)[] = [];
  const printsJson = values.json === '-' || (values.json === undefined && !process.stdout.isTTY);
  let worst: number = exitCodes.done;
  for (const [index, file] of files.entries()) {
    const placed = (target: string | undefined, ending: string) =>
      target === undefined || target === '-' ? null : isMany ? path.join(target, `${names[index]}${ending}`) : target;
    const job: Job = {
      file,
      profile,
      locale: localeOption(values.lang, systemLocale()),
      password: values.password,
      variables,
      json: placed(values.json, '.json'),
      report: placed(values.report, '.pdf'),
      annotated: placed(values.annotated, '.pdf'),
      failOn,
      before: values.before,
    };
    const label = oneLine(isMany ? `[${index + 1}/${files.length}] ${path.basename(file)}` : path.basename(file));
    const work = async (workDir: string, signal: AbortSignal) => {
      const report = await checkOne(job, workDir, label, signal);
      reports.push(report);
      if (!printsJson && job.json === null) print(report, job.locale);
      else if (isMany) console.error(`${label}: ${report.result}`);
      return exitOf(report, failOn);
    };
    const code = await withWorkDir(
      (workDir, signal) =>
        work(workDir, signal).catch((error: unknown) => {
          if (error instanceof FileFaultError && error.code !== 'SETTINGS_INVALID')
            reports.push(failureOf(file, error));
          throw error;
        }),
      isMany ? { file } : {},
    );
    worst = Math.max(worst, code);
  }
  if (printsJson && reports.length > 0) console.log(JSON.stringify(isMany ? reports : reports[0], null, 2));
  return worst;
}

/** `--json` with nothing after it means standard output. */
const bareJsonIsStdout = (args: readonly string[]): string[] =>
  args
    .map((arg, index) => {
      const next = args[index + 1];
      return arg === '--json' && (next === undefined || next.startsWith('--'))
        ? '--json=-'
        : arg === '--json' && next === '-'
          ? '--json=-'
          : arg;
    })
    .filter((arg, index, all) => !(arg === '-' && all[index - 1] === '--json=-'));

function variable(option: string): [string, string] {
  const equals = option.indexOf('=');
  if (equals < 1) throw new UsageError(`--var: ${option} (name=value)`);
  return [option.slice(0, equals), option.slice(equals + 1)];
}

async function readProfileOption(values: {
  preset?: string | undefined;
  profile?: string | undefined;
}): Promise<unknown> {
  if ((values.preset === undefined) === (values.profile === undefined)) throw new UsageError(usage);
  if (values.preset !== undefined) {
    const preset = presetOf(values.preset);
    if (!preset) throw new UsageError(`--preset: none is named ${values.preset} (pdf2press preflight --list-presets)`);
    return preset.profile;
  }
  const file = values.profile ?? '';
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--profile: ${error instanceof Error ? error.message : file}`, { cause: error });
  }
}

/** A profile with every comparison with the version before that it lacks. */
function comparing(profile: unknown): unknown {
  const { checks, ...rest } = (profile ?? {}) as { checks?: unknown };
  if (!Array.isArray(checks)) return profile;
  const named = new Set(checks.map((check: { key?: unknown } | null) => check?.key));
  const lacking = checkKeys.filter((key) => checkContracts[key].comparesVersions && !named.has(key));
  return { ...rest, checks: [...checks, ...lacking.map((key) => ({ key }))] };
}

async function checkOne(job: Job, workDir: string, label: string, signal: AbortSignal): Promise<PreflightReport> {
  const products = [job.json, job.report, job.annotated].filter((product) => product !== null);
  await refuseToOverwrite([job.file], products);
  const params: PreflightParams = {
    path: await inputFile(job.file, workDir),
    fileName: job.file === '-' ? 'stdin.pdf' : path.basename(job.file),
    profile: job.profile,
    variables: job.variables,
    ...(job.password !== undefined && { password: job.password }),
    ...(job.before !== undefined && { before: { path: path.resolve(job.before) } }),
    ...(job.report !== null && { pdfReport: { locale: job.locale } }),
    ...(job.annotated !== null && { annotatedCopy: { locale: job.locale } }),
  };
  const shows = process.stderr.isTTY === true;
  const report = await runTask('preflight', params, {
    workDir,
    signal,
    isUrgent: true,
    onProgress: ({ done, total }) => {
      if (shows) process.stderr.write(`\r\x1b[K${label} ${done}/${total}`);
    },
  }).finally(() => {
    if (shows) process.stderr.write('\r\x1b[K');
  });
  if (job.json !== null) {
    const whole = path.join(workDir, 'report.json');
    await writeFile(whole, `${JSON.stringify(report, null, 2)}\n`);
    await move(whole, path.resolve(job.json));
  }
  if (job.report !== null) await move(path.join(workDir, 'report.pdf'), path.resolve(job.report));
  if (job.annotated !== null) await move(path.join(workDir, 'annotated.pdf'), path.resolve(job.annotated));
  return report;
}

const signs = { Info: 'i', Warn: '!', Fail: 'x' } as const;

function print(report: PreflightReport, locale: Locale): void {
  console.log(
    `${report.file.name}: ${report.result} (${report.counts.Fail} / ${report.counts.Warn} / ${report.counts.Info})`,
  );
  for (const finding of report.findings) {
    const where = finding.page === null ? '' : ` ${finding.page}`;
    const times = finding.count > 1 ? ` ×${finding.count}` : '';
    console.log(
      `  ${signs[finding.severity]}${where}${times} ${checkLabel(finding.checkKey, locale)}: ${findingSentence(finding, locale, 'operator', 'Millimeters')}`,
    );
  }
}

function exitOf({ result }: PreflightReport, failOn: Job['failOn']): number {
  const fails = result === 'Error' || (failOn === 'warning' && result === 'Warning');
  return fails ? exitCodes.resultIsError : exitCodes.done;
}

/** A check by its key, in whatever case. @throws UsageError */
function checkNamed(name: string): CheckKey {
  const key = checkKeys.find((known) => known.toLowerCase() === name.toLowerCase());
  if (key === undefined) throw new UsageError(`--check: ${name} (${checkKeys.join(', ')})`);
  return key;
}
