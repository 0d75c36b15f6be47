/* Exported as `@pdf2press/engine`; listed in the order of a session's life. */

export { lookAtCertificates } from './alarms/certificates.ts';
export { keepAlarms } from './alarms/keep-alarms.ts';
export { noticeKinds, type ShownNotice, showNotice } from './alarms/notice.ts';
export { goesByHook, tryNoticeHook } from './alarms/notice-hook.ts';
export { noteBackup } from './alarms/of-house.ts';
export { mailedPreference, mutedPreference } from './alarms/pass-on.ts';
export {
  askForReleases,
  lookAtReleases,
  type ReleaseEnvironment,
  type ReleaseState,
  readReleaseState,
  writeReleaseWatch,
} from './alarms/releases.ts';
export { isNewer } from './alarms/version-order.ts';
export {
  askForBackup,
  type BackupState,
  backupFolder,
  isAsked,
  isUnderWay,
  readBackupState,
  writeSchedule,
} from './backup/schedule.ts';
export type { DoorbellChoice } from './bell/doorbell.ts';
export { type Channel, type Listener, type ListenOptions, listen } from './bell/listen.ts';
export { archiveSession, unarchiveSession } from './commands/archive-commands.ts';
export {
  type AtDoor,
  type DoorVerdict,
  findDoorCheck,
  findIdleDoorChecks,
  readDoorVerdict,
  startDoorCheck,
} from './commands/check-at-door.ts';
export { assignSession, commentOn } from './commands/discussion.ts';
export {
  cancelSession,
  continueSession,
  type FileReplacement,
  type Overwriting,
  overwriteVariables,
  type Rerouting,
  replaceFile,
  rerouteSession,
} from './commands/hold-commands.ts';
export {
  deleteSession,
  deprioritizeSession,
  prioritizeSession,
  restartSession,
  resumeSession,
  type SessionCommand,
  stopSession,
} from './commands/session-commands.ts';
export { type Actor, type EngineDeps, type EngineLog, system } from './deps.ts';
export { archivingKeysPurpose, openArchive } from './effects/archiving.ts';
export { effectContracts } from './effects/catalogue.ts';
export { askForCertificate, findCertificate, type MakeCertificate } from './effects/certificate/run.ts';
export { hookPurpose } from './effects/chat/contract.ts';
export { sendChat } from './effects/chat/send-chat.ts';
export { queueAccountMail } from './effects/communication/account-mail.ts';
export { answerAddress } from './effects/communication/answer-address.ts';
export { chatMessageOf, type DrawnMessage, drawMessage } from './effects/communication/compose.ts';
export { endConsents } from './effects/consent-end/run.ts';
export { deliverDue, retryEffect } from './effects/deliver.ts';
export { deliveryAddress } from './effects/delivery/address.ts';
export { deliverySecretPurpose } from './effects/delivery/contract.ts';
export { openFileLink } from './effects/delivery/file-links.ts';
export { type DeliveryMailer, mailToolsOf } from './effects/delivery/mail-tools.ts';
export { openCloudAccount } from './effects/delivery/open-cloud.ts';
export { resendDelivery } from './effects/delivery/resend.ts';
export { deliveryRootOf } from './effects/delivery/root.ts';
export { enqueueEffect } from './effects/enqueue.ts';
export { type AskedFile, askForFile, fetchAgain, fetchKeyOf, fetchSource } from './effects/fetch/ask-for-file.ts';
export { nameInPath } from './effects/fetch/read-address.ts';
export { fetchFiles } from './effects/fetch/run.ts';
export { noteBounces } from './effects/mail/bounce.ts';
export { type NewMail, queueMail, type Reader } from './effects/mail/queue-mail.ts';
export { deliverMail, mailEnvironmentOf } from './effects/mail/run.ts';
export {
  askForPictureCopy,
  type CopyOfProof,
  findPictureCopy,
  type MakePictureCopy,
  makePictureCopies,
} from './effects/picture-copy/run.ts';
export { type DrawPictures, findPictures, type PictureSums } from './effects/pictures/run.ts';
export { askForNotesCopy, findNotesCopy, type MakeNotesCopy } from './effects/proof-notes/run.ts';
export { askForReport, findReport, type MakeReport, type ReportRequest } from './effects/report/run.ts';
export { effectRuns } from './effects/runs.ts';
export {
  askForPage,
  askForPageList,
  type DrawTiles,
  findPageList,
  findPageTiles,
  findUndrawable,
  type ListPages,
  type PageTiles,
} from './effects/tiles/run.ts';
export { callOnce } from './effects/webhook/call-once.ts';
export { actionSecretPurpose } from './effects/webhook/contract.ts';
export { type OperatingFigures, readOperatingFigures } from './figures/operating-figures.ts';
export { type Outcomes, readFigures } from './figures/read-figures.ts';
export { keepFigures } from './figures/sum-days.ts';
export { type ArchivingConfig, namedBucket } from './files/archive-place.ts';
export { writeBlobs } from './files/blob-rows.ts';
export { collectGarbage } from './files/collect-garbage.ts';
export { demandHere } from './files/demand-here.ts';
export { readInstance } from './instance.ts';
export { mayBeAsked } from './open-request.ts';
export { findPerson } from './persons/person.ts';
export { erasePerson, readPerson } from './persons/persons.ts';
export { demandInPlan, demandUsersInPlan, largestFile } from './plans/demand-in-plan.ts';
export { readOverage } from './plans/overage.ts';
export { readOwnPlan, readUsage } from './plans/read-plan.ts';
export { isDiskFull, isUnanswered, isUnstorable } from './postgres/postgres-errors.ts';
export { approvalOf, findingsToAccept } from './proofs/acceptance.ts';
export { canChangeDecline, type DecisionOnProof, decideProof, endOf } from './proofs/decide-proof.ts';
export { decidingNow, noteDeciding, sharesGate } from './proofs/gate-lock.ts';
export { linkHashOf } from './proofs/link.ts';
export { sendLinkCode, useLinkCode } from './proofs/link-code.ts';
export { lookAt, noteDownload } from './proofs/look-at.ts';
export { addRecipient, extendProof, type ProofCommand, resendLink, revokeLink } from './proofs/manage-proof.ts';
export { noteFileRole } from './proofs/note-file-rows.ts';
export { attachToNote, demandNoteFile } from './proofs/note-files.ts';
export {
  canMark,
  canNote,
  eachNote,
  markNote,
  type NewNote,
  readNotePlaces,
  readNotesPage,
  removeNote,
  resolveNote,
  writeNote,
} from './proofs/notes.ts';
export { pagesOfSheets, pagesOfSheetsQuery } from './proofs/pages-of-sheets.ts';
export { readPrivateNotes, removePrivateNote, writePrivateNote } from './proofs/private-notes.ts';
export {
  isWaiting,
  judgedOf,
  maskedAddress,
  type ProofRow,
  type RecipientRow,
  readProof,
  readProofs,
  rulesOf,
  settingsOf,
  stateOf,
  voters,
} from './proofs/proof-row.ts';
export { archiveDue, readArchiveOverview } from './retention/archive-due.ts';
export { countDueFiles, type DueQuery, readDueFiles } from './retention/due-files.ts';
export { keepLonger, removeFilesNow, setLegalHold } from './retention/remove-files.ts';
export { readSettings, settingsRow, smtpServerOf } from './secrets/settings.ts';
export { type AnsweredMail, answerSender, answerWaiting } from './sessions/answer-sender.ts';
export { assigneeNames } from './sessions/assignees.ts';
export { decideOrganization } from './sessions/decide-organization.ts';
export { type EventQuery, readEvents } from './sessions/events.ts';
export { type NotTaken, noteNotTaken } from './sessions/not-taken.ts';
export { type Delivery, receiveFile } from './sessions/receive-file.ts';
export { admit, type NewSession, type StartedSession, startSession } from './sessions/start-session.ts';
export { type NewTrial, originalOf, startTrial, type TrialKind, trialSteps } from './sessions/start-trial.ts';
export { type NewWorkflowTrial, type StartedTrial, startWorkflowTrial } from './sessions/start-workflow-trial.ts';
export { type CloudFolderPlace, listCloudFolders } from './sources/cloud-folders.ts';
export { guardedFetch } from './sources/guarded-fetch.ts';
export {
  type ClaimedInlet,
  claimInlets,
  endPolls,
  type InletLease,
  LostInletError,
  moveCursor,
  type NewInlet,
  noteIntake,
  type PollEnd,
  renewInlets,
  retryInlets,
  wakeInlet,
} from './sources/inlets.ts';
export { listMailboxes } from './sources/mailboxes.ts';
export { connectionSecretPurpose, openConnection, renewConnectionSecret } from './sources/open-connection.ts';
export {
  askedItems,
  isItemWaiting,
  listPolledSources,
  type PolledSource,
  retryItem,
} from './sources/polled-sources.ts';
export { sourceAddress } from './sources/source-address.ts';
export { evaluateSession, type SessionAnswer, type SessionQuestion } from './steps/evaluate-session.ts';
export { previewNames } from './steps/preview-names.ts';
export type { StepOutput } from './steps/record-result.ts';
export type { ExecuteStep, Progress } from './steps/run-step.ts';
export { defaultTiming, type Timing } from './timing.ts';
export { type Decision, decide, decideIn } from './waits/decide.ts';
export { anchorAudit, readAnchors, startAuditAnchors } from './worker/anchor-audit.ts';
export { type Repeated, repeat } from './worker/repeat.ts';
export { type RunningWorker, startWorker, type WorkerOptions } from './worker/worker.ts';
export { type Published, publishWorkflow, workflowIssues } from './workflows/publish-workflow.ts';
