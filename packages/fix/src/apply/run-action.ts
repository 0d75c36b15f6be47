/** Runs one action: changes a working copy, has the gate compare it with the file before, and says how the action ended. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  FileFaultError,
  type FixActionResult,
  type FixReason,
  type PreflightReport,
  resolvePageRange,
} from '@pdf2press/contract';
import {
  type ColourService,
  createEditor,
  openPdf,
  openRenderService,
  type PdfFile,
  patchCopy,
  type RenderService,
  rewritePdf,
} from '@pdf2press/pdf';
import { loadMupdf } from '@pdf2press/pdf/mupdf';
import type { Variables } from '@pdf2press/settings';
import { fixContracts } from '../fixes/contracts.ts';
import { fixRunners } from '../fixes/runners.ts';
import { collectGarbage } from '../gate/collect-garbage.ts';
import { checkGate, type GateBefore, openBefore, pageAtFault } from '../gate/gate.ts';
import type { FontLibrary } from '../kind/font-library.ts';
import { type FixContext, type FixModule, FixStop } from '../kind/runner.ts';
import { type ChangeLog, createChangeLog } from '../log/change-log.ts';
import type { PlacedAction } from '../profile/order.ts';
import type { FixProfile, ProfileAction } from '../profile/profile.ts';
import type { CopyAhead } from './copy-ahead.ts';
import { isDoneBefore, noteDone, noteOf } from './done-before.ts';
import { stripSignatures } from './signatures.ts';
import { reasonToSkip } from './when.ts';

/** The file after the actions that have run so far. */
export interface Working {
  path: string;
  password: string | undefined;
  pageCount: number;
  /** Left open by an action that did not change it. */
  file: PdfFile | null;
  /** A temporary file that may be deleted. */
  isOurs: boolean;
  isSigned: boolean;
}

/** What the actions of one run share. */
export interface Run {
  readonly profile: FixProfile;
  readonly preflightReport: PreflightReport | null;
  readonly variables: Variables;
  readonly fonts: FontLibrary;
  readonly fileName: string;
  readonly workDir: string;
  readonly signal: AbortSignal;
  readonly now: Date;
  readonly copies: CopyAhead;
  readonly colour: () => Promise<ColourService>;
  readonly onProgress: ((progress: { action: string; done: number; total: number }) => void) | undefined;
}

/** How an action ended, and the changed file if there is one. */
export interface ActionDone {
  result: FixActionResult;
  log: ChangeLog;
  next: Working | null;
}

/** Collects the log, the warnings and the outcome of one action. */
export function actionRecord({ action, index }: PlacedAction) {
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

/**
 * Runs one action on the working file.
 * @param at number of the action in the order they run; names the file it writes
 * @throws the signal's reason when it aborts
 */
export async function runAction(run: Run, placed: PlacedAction, working: Working, at: number): Promise<ActionDone> {
  const { action } = placed;
  const record = actionRecord(placed);
  const { log, end } = record;
  const notNow = reasonToSkip(action, run.preflightReport, run.variables);
  if (notNow) return end('Skipped', notNow);
  if (working.isSigned && run.profile.signatures === 'Refuse')
    return end('Failed', { code: 'signature.present', params: {} });

  const next = path.join(run.workDir, `fix-${at}.pdf`);
  const changed = await changeFile(run, action, working, next, record);
  if ('result' in changed) return changed;
  const { pageCount, before } = changed;
  // Frees what the action allocated before the gate opens both files and draws pages.
  collectGarbage();
  const gate = await checkGate({
    before: working,
    opened: before,
    after: { path: next },
    contract: fixContracts[action.key],
    boxes: log.boxes,
    method: run.profile.gate.method,
    isEdgeTolerant: fixContracts[action.key].redrawsEdges,
    colour: run.colour,
    workDir: run.workDir,
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

/** Runs one action on the file and writes the result to `next`. Returns the final outcome when nothing was written. */
async function changeFile(
  run: Run,
  action: ProfileAction,
  working: Working,
  next: string,
  { log, warnings, end }: ReturnType<typeof actionRecord>,
): Promise<ActionDone | { pageCount: number; before: GateBefore | undefined }> {
  run.copies.begin(working.path);
  const file = working.file ?? openPdf({ path: working.path, password: working.password });
  working.file = null;
  const edit = createEditor(file);
  const pages = resolvePageRange(action.pages, file.pageCount);
  let renders: RenderService | null = null;
  let before: GateBefore | undefined;
  try {
    const note = noteOf(action);
    if (note !== null && isDoneBefore(file, action, note)) return end('NothingToDo', { code: 'already', params: {} });
    if (pages.length === 0) return end('Skipped', { code: 'pages.none', params: { range: action.pages } });
    const context = contextOf(run, action, {
      ...{ file, edit, pages, log, warnings },
      render: () => {
        renders ??= openRenderService({
          path: working.path,
          password: working.password,
          workDir: run.workDir,
          signal: run.signal,
        });
        return renders;
      },
    });
    const contract = fixContracts[action.key];
    const { run: runFix } = await moduleOf(action);
    if (!contract.isStructural) await loadMupdf();
    await runFix(context);
    // An action that logged nothing counts as no change.
    if (log.objects() === 0) return end('NothingToDo', null);
    if (working.isSigned) stripSignatures(edit);
    if (note !== null) noteDone(edit, action, note, run.now);
    const copy = contract.writesAnew ? null : run.copies.take(working.path);
    // While the copy is made, there is time to read what the gate compares with.
    if (copy) before = openBefore(working, contract);
    await writeChanged(file, next, edit.version() ?? undefined, copy);
    return { pageCount: file.pageCount, before };
  } catch (error) {
    before?.file.close();
    rmSync(next, { force: true });
    if (error instanceof FixStop) return end(error.outcome, { code: error.code, params: error.params });
    if (run.signal.aborted) throw run.signal.reason;
    if (!(error instanceof FileFaultError)) throw error;
    return end('Failed', { code: error.code, params: error.params });
  } finally {
    (renders as RenderService | null)?.close();
    // A file that the action did not change stays open for the next action.
    if (edit.isChanged()) file.close();
    else working.file = file;
  }
}

/** Writes the changes into the copy where possible, else writes the whole file anew. */
async function writeChanged(
  file: PdfFile,
  next: string,
  version: string | undefined,
  copy: Promise<string | null> | null,
): Promise<void> {
  if (copy && (await patchCopy(file, { copy, path: next, version })) !== null) return;
  rewritePdf(file, next, version === undefined ? {} : { version });
}

/** The runner of an action. */
export async function moduleOf(action: ProfileAction): Promise<FixModule<never>> {
  // The keys of both tables are the same; TypeScript cannot follow that through the union of actions.
  return (await fixRunners[action.key]()) as FixModule<never>;
}

interface ContextParts extends Pick<FixContext, 'file' | 'edit' | 'pages' | 'render'> {
  log: ChangeLog;
  warnings: FixReason[];
}

function contextOf(
  run: Run,
  action: ProfileAction,
  { file, edit, pages, render, log, warnings }: ContextParts,
): FixContext<never> {
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
    fileName: run.fileName,
    variables: run.variables,
    fonts: run.fonts,
    now: run.now,
    workDir: run.workDir,
    signal: run.signal,
    progress: (done, total) => run.onProgress?.({ action: action.key, done, total }),
  };
  // The settings belong to this action's contract; TypeScript cannot follow that through the union of actions.
  return context as FixContext<never>;
}
