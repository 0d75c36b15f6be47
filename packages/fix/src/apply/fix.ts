/**
 * Runs a fix profile: reads a file, writes the changed file and returns the report. The original file is never written
 * to.
 */
import { constants, copyFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FixActionResult, FixChange, FixReason, FixReport, PreflightReport } from '@pdf2press/contract';
import { type ColourService, createColourService, openPdf, pictureKind } from '@pdf2press/pdf';
import { loadingMupdfOnDemand, loadMupdf } from '@pdf2press/pdf/mupdf';
import { engineVersion, type Variables } from '@pdf2press/settings';
import { fixContracts } from '../fixes/contracts.ts';
import { createFontLibrary } from '../kind/font-library.ts';
import { type FixContext, FixStop } from '../kind/runner.ts';
import { inversions, orderedActions, type PlacedAction } from '../profile/order.ts';
import { bindFixVariables, type FixProfile } from '../profile/profile.ts';
import { type CopyAhead, createCopyAhead } from './copy-ahead.ts';
import { type ActionDone, actionRecord, moduleOf, type Run, runAction, type Working } from './run-action.ts';
import { signatureCount } from './signatures.ts';

export interface FixOptions {
  /** PDF or picture to fix, absolute path. */
  path: string;
  fileName: string;
  password?: string | undefined;
  profile: FixProfile;
  profileId?: string | null | undefined;
  profileVersion?: number | null | undefined;
  /** Report that the `when` of actions refers to; without one, paired actions run. */
  preflightReport?: PreflightReport | null | undefined;
  variables?: Variables | undefined;
  /** Absolute paths of fonts that may be embedded. */
  fonts?: readonly string[] | undefined;
  /** Path of the output file. */
  out: string;
  /** Directory for temporary files; the caller removes it. */
  workDir: string;
  /** Background copier of the caller, which may already be copying the file. */
  copies?: CopyAhead | undefined;
  signal?: AbortSignal | undefined;
  now?: Date | undefined;
  onProgress?: ((progress: { action: string; done: number; total: number }) => void) | undefined;
}

/**
 * Runs the enabled actions of a profile, each on the result of the one before. `out` is written completely or not at
 * all; it is not written when an action with `onError: FailStep` fails. A file that needs no change is copied byte for
 * byte.
 * @throws FileFaultError with the codes of `openPdf`, or SETTINGS_INVALID for a bound variable that a setting does not
 * accept
 * @throws the signal's reason when it aborts
 */
export async function fixPdf(options: FixOptions): Promise<FixReport> {
  const copies = options.copies ?? createCopyAhead(options.workDir);
  copies.begin(options.path);
  try {
    return await loadingMupdfOnDemand(() => fixWith(options, copies));
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
    profile,
    preflightReport: options.preflightReport ?? null,
    variables: options.variables ?? {},
    fonts: createFontLibrary(options.fonts ?? []),
    fileName: options.fileName,
    workDir: options.workDir,
    signal: options.signal ?? new AbortController().signal,
    now,
    copies,
    colour: () => (service ??= createColourService()),
    onProgress: options.onProgress,
  };
  const placed = orderedActions(profile);
  // Compiled in other threads while the file is opened; who needs it waits for it and tells of its faults.
  if (placed.some(({ action }) => !fixContracts[action.key].isStructural)) loadMupdf().catch(() => undefined);
  const { pageCount, signatures, isEncrypted, drawn, ...begun } = await begin(options, placed);
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
  /** The action that turned a picture into a PDF, and its result; null when the file was a PDF. */
  drawn: { entry: PlacedAction; done: ActionDone } | null;
}

/** Opens the input; a picture is first turned into a PDF, when the profile has an action for it. */
async function begin({ path: source, password, workDir }: FixOptions, placed: readonly PlacedAction[]): Promise<Begun> {
  const kind = pictureKind(source);
  const entry = kind && placed.find(({ action }) => fixContracts[action.key].reads === 'picture');
  const { toPdf } = entry ? await moduleOf(entry.action) : {};
  if (kind && entry && toPdf) {
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
      const warn: FixContext['warn'] = (code, params = {}) => void warnings.push({ code, params });
      await toPdf({ path: source, kind, out, settings: entry.action.settings as never, log: log.log, warn });
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

/** Moves or copies the last file to `out` in one step. */
async function deliver(working: Working, out: string, copies: CopyAhead): Promise<FixReport['out']> {
  const part = path.join(path.dirname(out), `.${path.basename(out)}.${process.pid}.part`);
  const ready = working.isOurs ? working.path : await copies.take(working.path);
  try {
    if (ready !== null) renameOrCopy(ready, part);
    // On file systems with reflinks, COPYFILE_FICLONE shares the blocks instead of copying them.
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
    // The work directory may be on another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
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
