/* The door `@pdf2press/engine`: the story of a session, in the order it happens. */

export {
  type ArchiveOptions,
  type ArchivingConfig,
  archiveHandlers,
  archiveSession,
  demandHere,
  openArchive,
  unarchiveSession,
} from './archive-session.ts';
export { type Decision, decide, decideIn } from './decide.ts';
export { deliverMail, type MailDelivery, mailEnvironmentOf } from './deliver-mail.ts';
export { type Actor, type EngineDeps, type EngineLog, system } from './deps.ts';
export type { DoorbellChoice } from './doorbell.ts';
export {
  askForPage,
  type DrawTiles,
  drawPages,
  findPageTiles,
  type PageRequest,
  type PageTiles,
} from './draw-pages.ts';
export {
  deliverDue,
  type EffectDone,
  type EffectHandler,
  type EffectHandlers,
  type NewEffect,
  recordEffect,
  retryEffect,
} from './effects.ts';
export { type EventQuery, readEvents } from './events.ts';
export { cleanFileName } from './file-name.ts';
export {
  cancelSession,
  continueSession,
  type FileReplacement,
  type Rerouting,
  replaceFile,
  rerouteSession,
} from './hold-commands.ts';
export { readInstance } from './instance.ts';
export { type Channel, type Listener, type ListenOptions, listen } from './listen.ts';
export { askForReport, findReport, type MakeReport, makeReports, type ReportRequest } from './make-report.ts';
export { listPolledSources, type NotTaken, noteNotTaken, type PolledSource } from './polled-sources.ts';
export { isDiskFull, isUnanswered, isUnstorable } from './postgres-errors.ts';
export { type Published, publishWorkflow, workflowIssues } from './publish-workflow.ts';
export { type MailPayload, type NewMail, queueMail, type Reader } from './queue-mail.ts';
export { type Delivery, receiveFile } from './receive-file.ts';
export type { StepOutput } from './record-result.ts';
export { type Repeated, repeat } from './repeat.ts';
export type { ExecuteStep, Progress } from './run-step.ts';
export { deleteSession, restartSession, resumeSession, type SessionCommand, stopSession } from './session-commands.ts';
export { readSettings, smtpServerOf } from './settings.ts';
export { type NewSession, type StartedSession, startSession } from './start-session.ts';
export { type NewTrial, originalOf, startTrial, type TrialKind, trialSteps } from './start-trial.ts';
export { defaultTiming, type Timing } from './timing.ts';
export { type RunningWorker, startWorker, type WorkerOptions } from './worker.ts';
