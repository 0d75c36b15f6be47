import { z } from 'zod';
import { type ErrorParams, fileFaults } from './faults.ts';

export { type ErrorParams, type FileFault, FileFaultError, fileFaults } from './faults.ts';

/** Every error that a response may carry: its code and HTTP status. The sentences are in the message files. */
export const errorStatuses = {
  'request.invalid': 400,
  'request.tooLarge': 413,
  'request.notJson': 415,
  'request.rateLimited': 429,
  'auth.invalidCredentials': 401,
  'auth.tokenInvalid': 401,
  'auth.embedTokenInvalid': 401,
  'auth.resetParametersMissing': 400,
  'auth.linkInvalid': 400,
  'auth.setupDone': 409,
  'auth.captchaFailed': 400,
  'auth.secondFactorNeeded': 401,
  'auth.codeWrong': 401,
  'auth.challengeInvalid': 401,
  'auth.secondFactorMissing': 403,
  'singleSignOn.notOffered': 409,
  'singleSignOn.unreachable': 502,
  'singleSignOn.stateInvalid': 409,
  'singleSignOn.refused': 422,
  'singleSignOn.emailUnverified': 403,
  'singleSignOn.domainNotAllowed': 403,
  'singleSignOn.accountExists': 409,
  'singleSignOn.unknownPerson': 403,
  'singleSignOn.accountClosed': 403,
  'secondFactor.signInAgain': 409,
  'secondFactor.codeWrong': 400,
  'secondFactor.required': 409,
  'secondFactor.notBegun': 409,
  'secondFactor.isOn': 409,
  'secondFactor.isOff': 409,
  'password.tooShort': 400,
  'password.tooLong': 400,
  'password.digit': 400,
  'password.lowercase': 400,
  'password.uppercase': 400,
  'password.nonAlphanumeric': 400,
  'password.confirmation': 400,
  'password.tooCommon': 400,
  'password.wrong': 400,
  'access.denied': 403,
  'access.featureNotInPlan': 403,
  'resource.notFound': 404,
  'resource.conflict': 409,
  'resource.nameTaken': 409,
  'resource.inUse': 409,
  'resource.static': 409,
  'role.lastAdministrator': 409,
  'userImport.notCsv': 422,
  'userImport.notUtf8': 422,
  'userImport.columnMissing': 422,
  'userImport.columnTwice': 422,
  'userImport.noLines': 422,
  'userImport.tooManyLines': 422,
  'userImport.roleUnknown': 422,
  'userImport.organizationUnknown': 422,
  'userImport.twice': 422,
  'userImport.hasErrors': 422,
  'organization.notYours': 403,
  'organization.required': 422,
  'organization.workflowTaken': 409,
  'logo.notAccepted': 422,
  'session.actionNotAllowed': 409,
  'session.deleted': 410,
  'session.resultMissing': 409,
  'session.archived': 409,
  'session.filesGone': 409,
  'session.legalHold': 409,
  'session.alreadyDecided': 409,
  'session.answerNotOffered': 409,
  'session.notLocked': 409,
  'session.passwordWrong': 422,
  'session.unlockFailed': 422,
  'workflow.notPublished': 409,
  'workflow.disabled': 409,
  'workflow.wayOff': 409,
  'workflow.invalid': 422,
  'workflow.importInvalid': 422,
  'workflow.variableMissing': 422,
  'workflow.variableUnknown': 422,
  'workflow.variableInvalid': 422,
  'profile.invalid': 422,
  'trial.noFile': 422,
  'trial.tooManyFiles': 422,
  'proof.deleted': 410,
  'proof.expired': 410,
  'proof.superseded': 410,
  'proof.closed': 410,
  'proof.alreadyDecided': 409,
  'proof.approvalNotPossible': 409,
  'proof.findingsNotAccepted': 422,
  'proof.findingsChanged': 409,
  'proof.fileChanged': 409,
  'proof.fieldMissing': 422,
  'hook.gone': 422,
  'backup.running': 409,
  'hook.blocked': 422,
  'hook.unreachable': 422,
  'hook.refused': 422,
  'noticeHook.unreachable': 422,
  'noticeHook.refused': 422,
  'proof.commentTooShort': 422,
  'proof.pagesUndecided': 422,
  'proof.checkboxMissing': 422,
  'proof.replacementNotPossible': 409,
  'proof.recipientExists': 409,
  'proof.notesNotPossible': 409,
  'proof.tooManyNotes': 409,
  'proof.tooManyNoteFiles': 409,
  'proof.noteFileTypeNotAccepted': 415,
  'file.missing': 400,
  'file.empty': 422,
  'file.tooLarge': 413,
  'file.tooSmall': 422,
  'file.notPdf': 415,
  'file.typeNotAccepted': 415,
  'file.nameNotAccepted': 422,
  'file.duplicate': 409,
  'sidecar.notTaken': 422,
  'sidecar.tooLarge': 413,
  'sidecar.invalid': 422,
  'upload.notFound': 404,
  'upload.checksumMismatch': 460,
  'upload.incomplete': 409,
  'upload.tooMany': 422,
  'upload.pageFull': 422,
  'upload.notChecked': 409,
  'upload.hasErrors': 422,
  'upload.notAcknowledged': 409,
  'delivery.differs': 409,
  'address.blocked': 422,
  'address.refused': 422,
  'page.notReady': 202,
  'page.notDrawable': 422,
  'report.notPossible': 422,
  'certificate.undecided': 409,
  'certificate.notPossible': 422,
  'proof.notesCopyNotPossible': 422,
  'storage.full': 507,
  'quota.sessions': 403,
  'quota.storage': 403,
  'quota.users': 403,
  'host.ownSubscriber': 409,
  'feedback.notSetUp': 409,
  'mail.connectionFailed': 502,
  'mail.noAttachment': 422,
  'mail.automatic': 422,
  'mail.tooManyAttachments': 422,
  'mail.gone': 410,
  'file.gone': 410,
  'cloud.stateInvalid': 409,
  'cloud.refused': 422,
  'source.notSetUp': 409,
  'source.signInNeeded': 409,
  'source.denied': 409,
  'source.folderMissing': 409,
  'source.busy': 503,
  'source.unreachable': 502,
  'source.hostUnknown': 502,
  'source.hostBlocked': 502,
  'source.tlsFailed': 502,
  'source.secretUnreadable': 409,
  'archiving.connectionFailed': 502,
  'archiving.notSetUp': 409,
  'service.unavailable': 503,
  'service.tooBusy': 503,
  'internal.unexpected': 500,
} as const;

export type ErrorCode = keyof typeof errorStatuses;
export const errorCodes = Object.keys(errorStatuses) as ErrorCode[];

export const fileFaultSchema = z.enum(fileFaults);

export const errorParamsSchema: z.ZodType<ErrorParams> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);

/** One error in a response; `message` is in the reader's language, `field` a dotted path into the request. */
export const wireErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  params: errorParamsSchema.optional(),
  field: z.string().optional(),
});
export type WireError = z.infer<typeof wireErrorSchema>;

export interface Problem {
  code: ErrorCode;
  params?: ErrorParams | undefined;
  field?: string | undefined;
}

/** The error that all packages throw for an error response: codes with parameters, never sentences. */
export class ProblemError extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: Problem | readonly Problem[], options?: ErrorOptions) {
    const list = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem];
    super(list.map((problem) => problem.code).join(', '), options);
    this.name = 'ProblemError';
    this.problems = list;
  }
}

/** A ProblemError with a single problem. */
export const problem = (code: ErrorCode, params?: ErrorParams, field?: string): ProblemError =>
  new ProblemError({ code, params, field });
