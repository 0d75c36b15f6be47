/** The whole of a fix step: file and profile in, changed file and log out. The original is only ever read. */
import { constants, copyFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  FileFaultError,
  type FixActionResult,
  type FixChange,
  type FixReason,
  type FixReport,
  type PreflightReport,
  resolvePageRange,
} from '@pdf2press/contract';
import {
  type ColourService,
  createColourService,
  createEditor,
  openPdf,
  openRenderService,
  type PdfFile,
  patchCopy,
  pictureKind,
  type RenderService,
  rewritePdf,
} from '@pdf2press/pdf';
import { fixContracts } from '../fixes/contracts.ts';
import { pictureToPdf } from '../fixes/images-to-pdf/run.ts';
import { type FixContext, type FixRunner, FixStop } from '../fixes/runner.ts';
import { fixRunners } from '../fixes/runners.ts';
import type { Variables } from '../preflight/expression.ts';
import { engineVersion } from '../preflight/version.ts';
import { type ChangeLog, createChangeLog } from './change-log.ts';
import { collectGarbage } from './collect-garbage.ts';
import { type CopyAhead, createCopyAhead } from './copy-ahead.ts';
import { isDoneBefore, noteDone, noteOf } from './done-before.ts';
import { checkGate, pageAtFault } from './gate.ts';
import { inversions, orderedActions, type PlacedAction } from './order.ts';
import { bindFixVariables, type FixProfile, type ProfileAction } from './profile.ts';
import { signatureCount, stripSignatures } from './signatures.ts';
import { reasonToSkip } from './when.ts';

export interface FixOptions {
  /** PDF on disk, absolute. */
  path: string;
  fileName: string;
  password?: string | undefined;
  profile: FixProfile;
  profileId?: string | null | undefined;
  profileVersion?: number | null | undefined;
  /** What `when` looks at. */
  preflightReport?: PreflightReport | null | undefined;
  variables?: Variables | undefined;
  /** Where the changed file goes. */
  out: string;
  /** For files in between; the caller removes it. */
  workDir: string;
  /** May have begun to copy the file already. */
  copies?: CopyAhead | undefined;
  signal?: AbortSignal | undefined;
  now?: Date | undefined;
  onProgress?: ((progress: { action: string; done: number; total: number }) => void) | undefined;
}

/** The file as it is after the actions so far. */
interface Working {
  path: string;
  password: string | undefined;
  pageCount: number;
  /** Open still from the last look at it, unchanged. */
  file: PdfFile | null;
  /** A file of our own that may be deleted. */
  isOurs: boolean;
  isSigned: boolean;
}

interface Run {
  options: FixOptions;
  profile: FixProfile;
  variables: Variables;
  signal: AbortSignal;
  now: Date;
  copies: CopyAhead;
  colour: () => Promise<ColourService>;
}

/**
 * Runs every enabled action of a profile, each on what the one before left. `out` appears complete or not at all: not when
 * an action failed that must not fail. Where nothing is to do, it is the original byte for byte.
 * @throws FileFaultError as `openPdf`; SETTINGS_INVALID for a bound variable a setting refuses; the signal's reason
 */
export async function fixPdf(options: FixOptions): Promise<FixReport> {
  const copies = options.copies ?? createCopyAhead(options.workDir);
  copies.begin(options.path);
  try {
    return await fixWith(options, copies);
  } finally {
    await copies.drop();
  }
}

async function fixWith(options: FixOptions, copies: CopyAhead): Promise<FixReport> {
  const start = performance.now();
  const now = options.now ?? new Date();
  const profile = bindFixVariables(options.profile, options.variables ?? {});
  const warnings: FixReason[] = inversions(profile);

  let service: Promise<ColourService> | null = null;
  const run: Run = {
    options,
    profile,
    variables: options.variables ?? {},
    signal: options.signal ?? new AbortController().signal,
    now,
    copies,
    colour: () => (service ??= createColourService()),
  };
  const placed = orderedActions(profile);
  const { pageCount, signatures, isEncrypted, drawn, ...begun } = await begin(run, placed);
  let { working } = begun;
  const actions: FixActionResult[] = [];
  const changes: FixChange[] = [];
  let isStopped = drawn?.done.result.outcome === 'Failed';
  try {
    for (const [at, entry] of placed.entries()) {
      run.signal.throwIfAborted();
      if (isStopped && entry !== drawn?.entry) {
        actions.push(skipped(entry, { code: 'earlierFailed', params: {} }));
        continue;
      }
      options.onProgress?.({ action: entry.action.key, done: at, total: placed.length });
      const done = entry === drawn?.entry ? drawn.done : await runAction(run, entry, working, at);
      actions.push(done.result);
      if (done.result.outcome === 'Applied') changes.push(...done.log.rows());
      if (done.next) {
        working.file?.close();
        if (working.isOurs) rmSync(working.path, { force: true });
        working = done.next;
      }
      isStopped ||= done.result.outcome === 'Failed' && entry.action.onError === 'FailStep';
    }
  } finally {
    working.file?.close();
    if (service) (await (service as Promise<ColourService>)).close();
  }
  if (working.isOurs && signatures > 0) warnings.push({ code: 'signature.removed', params: { count: signatures } });
  if (working.isOurs && isEncrypted) warnings.push({ code: 'encryption.removed', params: {} });
  const out = isStopped ? null : await deliver(working, options.out, copies);
  const isWarning =
    warnings.length > 0 || actions.some((action) => action.warnings.length > 0 || action.outcome === 'Failed');
  return {
    format: 'pdf2press-fix',
    formatVersion: 1,
    engineVersion,
    profile: { id: options.profileId ?? null, name: profile.name, version: options.profileVersion ?? null },
    file: { name: options.fileName, bytes: statSync(options.path).size, pageCount },
    out,
    result: isStopped ? 'Error' : isWarning ? 'Warning' : 'Success',
    actions,
    changes,
    warnings,
    startedAt: now.toISOString(),
    durationMs: Math.round(performance.now() - start),
  };
}

interface Begun {
  working: Working;
  pageCount: number;
  signatures: number;
  isEncrypted: boolean;
  /** The file was a picture: what became of it, before anything could open a PDF. */
  drawn: { entry: PlacedAction; done: ActionDone } | null;
}

/** Looks at the file as it came; a picture is drawn first, where the profile says so. */
async function begin(run: Run, placed: readonly PlacedAction[]): Promise<Begun> {
  const { path: source, password, workDir } = run.options;
  const kind = pictureKind(source);
  const entry = kind && placed.find(({ action }) => action.key === 'ImagesToPdf');
  if (kind && entry && entry.action.key === 'ImagesToPdf') {
    const { settings } = entry.action;
    const out = path.join(workDir, 'fix-picture.pdf');
    const { log, warnings, end } = actionRecord(entry);
    const working: Working = {
      path: out,
      password: undefined,
      pageCount: 0,
      file: null,
      isOurs: true,
      isSigned: false,
    };
    const begun = { working, pageCount: 0, signatures: 0, isEncrypted: false };
    try {
      await pictureToPdf({
        path: source,
        kind,
        out,
        settings,
        log: log.log,
        warn: (code, params) => void warnings.push({ code, params }),
      });
    } catch (error) {
      if (!(error instanceof FixStop)) throw error;
      return { ...begun, drawn: { entry, done: end('Failed', { code: error.code, params: error.params }) } };
    }
    working.pageCount = log.pages().length;
    return { ...begun, pageCount: working.pageCount, drawn: { entry, done: end('Applied', null) } };
  }
  const file = openPdf({ path: source, password });
  const { pageCount } = file;
  const signatures = signatureCount(file);
  return {
    working: { path: source, password, pageCount, file, isOurs: false, isSigned: signatures > 0 },
    pageCount,
    signatures,
    isEncrypted: file.encryption !== null,
    drawn: null,
  };
}

/** Gives the last state its name, in one step. */
async function deliver(working: Working, out: string, copies: CopyAhead): Promise<FixReport['out']> {
  const part = path.join(path.dirname(out), `.${path.basename(out)}.${process.pid}.part`);
  const ready = working.isOurs ? working.path : await copies.take(working.path);
  try {
    if (ready !== null) renameOrCopy(ready, part);
    // Where the disk can share blocks, a copy costs nothing.
    else copyFileSync(working.path, part, constants.COPYFILE_FICLONE);
    const bytes = statSync(part).size;
    renameSync(part, out);
    return { path: out, bytes, pageCount: working.pageCount, isChanged: working.isOurs };
  } finally {
    rmSync(part, { force: true });
  }
}

function renameOrCopy(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // The work directory may lie on another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}

interface ActionDone {
  result: FixActionResult;
  log: ChangeLog;
  next: Working | null;
}

/** What one action leaves: its log, its warnings, and how it ends. */
function actionRecord({ action, index }: PlacedAction) {
  const start = performance.now();
  const log = createChangeLog(action.key, index);
  const warnings: FixReason[] = [];
  const end = (
    outcome: FixActionResult['outcome'],
    reason: FixReason | null,
    rest: { gate?: FixActionResult['gate']; next?: Working } = {},
  ): ActionDone => ({
    result: {
      index,
      action: action.key,
      outcome,
      objects: outcome === 'Applied' ? log.objects() : 0,
      pages: outcome === 'Applied' ? log.pages() : [],
      reason,
      warnings,
      gate: rest.gate ?? null,
      unlisted: log.unlisted(),
      durationMs: Math.round(performance.now() - start),
    },
    log,
    next: rest.next ?? null,
  });
  return { log, warnings, end };
}

async function runAction(run: Run, placed: PlacedAction, working: Working, at: number): Promise<ActionDone> {
  const { action } = placed;
  const record = actionRecord(placed);
  const { log, end } = record;
  const notNow = reasonToSkip(action, run.options.preflightReport ?? null, run.variables);
  if (notNow) return end('Skipped', notNow);
  if (working.isSigned && run.profile.signatures === 'Refuse')
    return end('Failed', { code: 'signature.present', params: {} });

  const next = path.join(run.options.workDir, `fix-${at}.pdf`);
  const changed = await changeFile(run, action, working, next, record);
  if ('result' in changed) return changed;
  const { pageCount } = changed;
  // What the action read has become garbage that nothing would collect before engine and pictures come on top of it.
  collectGarbage();
  const gate = await checkGate({
    before: working,
    after: { path: next },
    contract: fixContracts[action.key],
    boxes: log.boxes,
    method: run.profile.gate.method,
    isEdgeTolerant: fixContracts[action.key].redrawsEdges,
    colour: run.colour,
    workDir: run.options.workDir,
    signal: run.signal,
  });
  if (!gate.isPassed) {
    rmSync(next, { force: true });
    return end(
      'Failed',
      gate.broken[0] ?? {
        code: 'gate.look',
        params: { page: pageAtFault(gate) },
      },
      { gate },
    );
  }
  const made: Working = { path: next, password: undefined, pageCount, file: null, isOurs: true, isSigned: false };
  return end('Applied', null, { gate, next: made });
}

/** Writes the changed file to `next`, and keeps nothing of it; or ends the action. */
async function changeFile(
  run: Run,
  action: ProfileAction,
  working: Working,
  next: string,
  { log, warnings, end }: ReturnType<typeof actionRecord>,
): Promise<ActionDone | { pageCount: number }> {
  run.copies.begin(working.path);
  const file = working.file ?? openPdf({ path: working.path, password: working.password });
  working.file = null;
  const edit = createEditor(file);
  const pages = resolvePageRange(action.pages, file.pageCount);
  let renders: RenderService | null = null;
  try {
    const note = noteOf(action);
    if (note !== null && isDoneBefore(file, action, note)) return end('NothingToDo', { code: 'already', params: {} });
    if (pages.length === 0) return end('Skipped', { code: 'pages.none', params: { range: action.pages } });
    const context = contextOf(run, action, file, edit, pages, log, warnings, () => {
      renders ??= openRenderService({
        path: working.path,
        password: working.password,
        workDir: run.options.workDir,
        signal: run.signal,
      });
      return renders;
    });
    await (await runnerOf(action))(context);
    // What is not worth a line in the log is no change: the file stays as it is.
    if (log.objects() === 0) return end('NothingToDo', null);
    if (working.isSigned) stripSignatures(edit);
    if (note !== null) noteDone(edit, action, note, run.now);
    // Whoever asks for a repair wants all of it written anew.
    const copy = action.key === 'Repair' ? null : await run.copies.take(working.path);
    writeChanged(file, next, edit.version() ?? undefined, copy);
    return { pageCount: file.pageCount };
  } catch (error) {
    rmSync(next, { force: true });
    if (error instanceof FixStop) return end(error.outcome, { code: error.code, params: error.params });
    if (run.signal.aborted) throw run.signal.reason;
    if (!(error instanceof FileFaultError)) throw error;
    return end('Failed', { code: error.code, params: error.params });
  } finally {
    (renders as RenderService | null)?.close();
    // What an action only looked at, the next one takes as it is.
    if (edit.isChanged()) file.close();
    else working.file = file;
  }
}

/** A large file is its copy with the changes put into it; where that cannot be, it is written anew as any other. */
function writeChanged(file: PdfFile, next: string, version: string | undefined, copy: string | null): void {
  if (copy !== null) {
    if (patchCopy(file, { copy, path: next, version }) !== null) return;
    rmSync(copy, { force: true });
  }
  rewritePdf(file, next, version === undefined ? {} : { version });
}

async function runnerOf(action: ProfileAction): Promise<FixRunner<never>> {
  // The table is keyed by the same key as the settings; the compiler cannot follow that through a union.
  return (await fixRunners[action.key]()).run as FixRunner<never>;
}

function contextOf(
  run: Run,
  action: ProfileAction,
  file: PdfFile,
  edit: FixContext['edit'],
  pages: readonly number[],
  log: ChangeLog,
  warnings: FixReason[],
  render: () => RenderService,
): never {
  const context: FixContext = {
    settings: action.settings,
    file,
    edit,
    pages,
    pageFacts: pages.flatMap((number) => file.pages[number - 1] ?? []),
    touches: (kind) => action.objects === null || action.objects.includes(kind),
    log: log.log,
    declare: log.declare,
    warn: (code, params = {}) => {
      const isKnown = warnings.some(
        (warning) => warning.code === code && JSON.stringify(warning.params) === JSON.stringify(params),
      );
      if (!isKnown) warnings.push({ code, params });
    },
    colour: run.colour,
    render,
    fileName: run.options.fileName,
    variables: run.variables,
    now: run.now,
    workDir: run.options.workDir,
    signal: run.signal,
    progress: (done, total) => run.options.onProgress?.({ action: action.key, done, total }),
  };
  return context as never;
}

const skipped = ({ action, index }: PlacedAction, reason: FixReason): FixActionResult => ({
  index,
  action: action.key,
  outcome: 'Skipped',
  objects: 0,
  pages: [],
  reason,
  warnings: [],
  gate: null,
  unlisted: 0,
  durationMs: 0,
});
