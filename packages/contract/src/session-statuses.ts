import { z } from 'zod';
import type { Permission } from './permissions.ts';

/** Session statuses of the API; `Rerouted` is shown to users as Redirected. */
export const sessionStatuses = [
  'InQueue',
  'Processing',
  'OnHold',
  'Completed',
  'CompletedWithWarnings',
  'Failed',
  'CanceledByUser',
  'CanceledByOperator',
  'Rerouted',
] as const;
export const sessionStatusSchema = z.enum(sessionStatuses);
export type SessionStatus = (typeof sessionStatuses)[number];

const ends = [
  'Completed',
  'CompletedWithWarnings',
  'Failed',
  'CanceledByUser',
  'CanceledByOperator',
  'Rerouted',
] as const;

/**
 * Allowed status changes of a session. An end status is final; only a restart leaves it, which begins a new run of the same
 * session and keeps the old run as it was.
 */
export const sessionMoves: Record<SessionStatus, readonly SessionStatus[]> = {
  InQueue: ['Processing', 'OnHold', ...ends],
  Processing: ['OnHold', ...ends],
  OnHold: ['InQueue', 'Processing', ...ends],
  Completed: ['InQueue'],
  CompletedWithWarnings: ['InQueue'],
  Failed: ['InQueue'],
  CanceledByUser: ['InQueue'],
  CanceledByOperator: ['InQueue'],
  Rerouted: ['InQueue'],
};

export const isFinal = (status: SessionStatus): boolean => (ends as readonly SessionStatus[]).includes(status);

/** Statuses of sessions that nobody has to look after any more. */
export const done = [
  'Completed',
  'CanceledByUser',
  'CanceledByOperator',
  'Rerouted',
] as const satisfies SessionStatus[];
/** Whether nobody has to look after a session any more: it ended, and neither failed nor ended with warnings. */
export const isDone = (status: SessionStatus): boolean => (done as readonly SessionStatus[]).includes(status);

export const canMove = (from: SessionStatus, to: SessionStatus): boolean => sessionMoves[from].includes(to);

/**
 * What an operator may do with a session. `stop` puts running steps on hold and `resume` lets them go on; `prioritize`
 * makes it urgent and `deprioritize` normal again; `continue`,
 * `replaceFile` (and run again), `reroute` (to another workflow), `overwriteVariables` and
 * `cancel` are possible during a hold.
 */
export const sessionActions = [
  'stop',
  'resume',
  'prioritize',
  'deprioritize',
  'continue',
  'restart',
  'replaceFile',
  'reroute',
  'overwriteVariables',
  'cancel',
  'downloadResult',
  'archive',
  'unarchive',
  'delete',
] as const;
export const sessionActionSchema = z.enum(sessionActions);
export type SessionAction = (typeof sessionActions)[number];

/** Actions without further input; they can be applied to many sessions at once. */
export const bulkActions = [
  'stop',
  'resume',
  'prioritize',
  'deprioritize',
  'continue',
  'restart',
  'cancel',
  'archive',
  'unarchive',
  'delete',
] as const;
export const bulkActionSchema = z.enum(bulkActions);
export type BulkAction = (typeof bulkActions)[number];

export const actionPermissions = {
  stop: 'sessions.stop',
  resume: 'sessions.resume',
  prioritize: 'sessions.restart',
  deprioritize: 'sessions.restart',
  continue: 'sessions.hold.decide',
  restart: 'sessions.restart',
  replaceFile: 'sessions.files.replace',
  reroute: 'sessions.route.decide',
  overwriteVariables: 'sessions.variables.overwrite',
  cancel: 'sessions.stop',
  downloadResult: 'sessions.files.download',
  archive: 'sessions.archive',
  unarchive: 'sessions.unarchive',
  delete: 'sessions.delete',
} as const satisfies Record<SessionAction, Permission>;

/** What a step that holds a session may offer to whoever decides, in the order of the buttons. */
export const holdAnswers = ['continue', 'replaceFile', 'reroute', 'cancel'] as const satisfies readonly SessionAction[];
export type HoldAnswer = (typeof holdAnswers)[number];
export const isHoldAnswer = (action: SessionAction): action is HoldAnswer =>
  (holdAnswers as readonly SessionAction[]).includes(action);

/** Whether somebody may take an action: by permission, or as the assignee of a hold whose step offers it. */
export const mayAct = (
  action: SessionAction,
  hold: { answers: readonly SessionAction[]; isMine: boolean } | null,
  has: (permission: Permission) => boolean,
): boolean => has(actionPermissions[action]) || (hold?.isMine === true && hold.answers.includes(action));

/** Whether a session has come to a result: what its step of completion chose. */
const hasResult = (status: SessionStatus): boolean => status === 'Completed' || status === 'CompletedWithWarnings';

/**
 * Whether a session allows an action. A deleted session and one that is being (un)archived allow none. `isStopped`
 * distinguishes a hold by an operator's stop from one by a workflow step; `hold` has the answers that this step offers.
 */
export function isActionOpen(
  action: SessionAction,
  session: {
    status: SessionStatus;
    archiveState: string;
    isDeleted: boolean;
    isStopped: boolean;
    isUrgent: boolean;
    hold?: { answers: readonly SessionAction[] } | null;
  },
): boolean {
  if (session.hold && isHoldAnswer(action) && !session.hold.answers.includes(action)) return false;
  if (session.isDeleted || session.archiveState === 'Archiving' || session.archiveState === 'Unarchiving') return false;
  const archived = session.archiveState === 'Archived';
  const final = isFinal(session.status);
  return {
    stop: !archived && (session.status === 'InQueue' || session.status === 'Processing'),
    prioritize: !archived && !final && !session.isUrgent,
    deprioritize: !archived && !final && session.isUrgent,
    resume: !archived && session.status === 'OnHold' && session.isStopped,
    // Null: known to be no hold, but a wait for something else, such as a proof.
    continue: !archived && session.status === 'OnHold' && !session.isStopped && session.hold !== null,
    restart: !archived && (final || session.status === 'OnHold'),
    replaceFile: !archived && (final || session.status === 'OnHold'),
    reroute: !archived && !final,
    overwriteVariables: !archived && session.status === 'OnHold',
    cancel: !archived && !final,
    downloadResult: !archived && hasResult(session.status),
    delete: true,
    archive: !archived && final,
    unarchive: archived,
  }[action];
}

/** Statuses of one step in a run. */
export const stepStatuses = [
  'Blocked',
  'Ready',
  'Running',
  'Waiting',
  'Succeeded',
  'Warned',
  'Failed',
  'Skipped',
  'Canceled',
] as const;
export const stepStatusSchema = z.enum(stepStatuses);
export type StepStatus = (typeof stepStatuses)[number];
