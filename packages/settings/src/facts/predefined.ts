import { resultLevels, sessionStatuses, stepKinds, unitSymbols } from '@pdf2press/contract';
import type { FactType, FactValue } from './facts.ts';

/** A name that texts, conditions and bound settings may use. What it means is in the message files under `variable.<name>`. */
export interface Variable {
  type: FactType;
  example: FactValue;
  /** Of a Choice: the words it can have. */
  options?: readonly string[];
}

// Each keeps its type as a literal: whoever provides a session's values is asked for a value of that type.
const string = (example: string) => ({ type: 'String', example }) as const;
const number = (example: number) => ({ type: 'Number', example }) as const;
const millimetres = (example: number) => ({ type: 'Length', example: (example * 72) / 25.4 }) as const;
const bytes = (example: number) => ({ type: 'Bytes', example }) as const;
const yesNo = (example: boolean) => ({ type: 'YesNo', example }) as const;
const date = (example: string) => ({ type: 'Date', example }) as const;
const list = (...example: string[]) => ({ type: 'List', example }) as const;
const choice = (options: readonly string[], example: string) => ({ type: 'Choice', options, example }) as const;

/** Variables of every session, in the order in which a picker lists them. */
export const sessionVariables = {
  'session.id': string('ses_0c2f4e6a'),
  'session.shortId': string('0C2F'),
  'session.url': string('https://print.example/sessions/detail/ses_0c2f4e6a'),
  'session.status': choice(sessionStatuses, 'Processing'),
  'session.createdAt': date('2026-11-22T08:05:00Z'),
  'session.finishedAt': date('2026-11-22T08:09:00Z'),
  'session.source': string('Upload'),
  'session.sourceName': string('Orders by e-mail'),
  'session.restartCount': number(0),
  'session.parentId': string('ses_0a1b2c3d'),
  'workflow.name': string('Business cards'),
  'workflow.id': string('wfl_1a2b3c4d'),
  'workflow.version': number(3),
  'step.name': string('Check'),
  'step.kind': choice(stepKinds, 'Preflight'),
  'file.name': string('flyer.pdf'),
  'file.baseName': string('flyer'),
  'file.extension': string('pdf'),
  'file.originalName': string('flyer final.pdf'),
  'file.sizeBytes': bytes(3_355_443),
  'file.sizeText': string('3.20 MB'),
  'file.sha256': string('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
  'file.version': number(1),
  'file.isDuplicate': yesNo(false),
  'file.duplicateOf': string('ses_0a1b2c3d'),
  'part.of': string('magazine.pdf'),
  'part.index': number(2),
  'part.count': number(5),
  'part.firstPage': number(9),
  'part.lastPage': number(16),
  'pdf.pageCount': number(8),
  'pdf.version': string('1.6'),
  'pdf.conformance': string('PDF/X-4'),
  'pdf.trimWidth': millimetres(210),
  'pdf.trimHeight': millimetres(297),
  'pdf.trimUnit': choice(Object.values(unitSymbols), 'mm'),
  'pdf.orientation': choice(['Portrait', 'Landscape', 'Square'], 'Portrait'),
  'pdf.bleedMin': millimetres(3),
  'pdf.spotCount': number(1),
  'pdf.spotNames': list('Gold'),
  'pdf.inks': list('Cyan', 'Magenta', 'Yellow', 'Black', 'Gold'),
  'pdf.colorPages': number(6),
  'pdf.bwPages': number(2),
  'pdf.maxTac': number(286),
  'pdf.minPpi': number(254),
  'pdf.fontsMissing': list('Frutiger'),
  'pdf.hasTransparency': yesNo(true),
  'pdf.producer': string('Adobe PDF Library 17.0'),
  'pdf.title': string('Summer flyer'),
  'preflight.result': choice(resultLevels, 'Warning'),
  'preflight.errorCount': number(0),
  'preflight.warningCount': number(2),
  'preflight.infoCount': number(1),
  'preflight.reportUrl': string('https://print.example/sessions/detail/ses_0c2f4e6a/report'),
  'preflight.findingsText': string('No bleed on the left: 3 mm needed (page 1)'),
  'fix.applied': list('AddBleeds'),
  'fix.changeCount': number(4),
  'impose.type': string('StepNRepeat'),
  'impose.ups': number(24),
  'impose.sheetCount': number(5),
  'impose.sheetWidth': millimetres(450),
  'impose.sheetHeight': millimetres(320),
  'proof.url': string('https://print.example/client-proofing/ses_0c2f4e6a/stp_5e6f'),
  'proof.decision': choice(['Approved', 'Declined'], 'Approved'),
  'proof.decidedBy': string('Ana Lima'),
  'proof.decidedAt': date('2026-11-23T10:12:00Z'),
  'proof.comment': string('Please go ahead.'),
  'proof.deadline': date('2026-11-25T17:00:00Z'),
  'proof.version': number(2),
  'hold.reason': string('Paper is missing'),
  'hold.by': string('Piotr Nowak'),
  'hold.since': date('2026-11-22T09:00:00Z'),
  'email.from': string('ana@example.com'),
  'email.subject': string('Order 4711'),
  'email.body': string('Here is the flyer.'),
  'email.receivedAt': date('2026-11-22T08:04:00Z'),
  'upload.name': string('Ana Lima'),
  'upload.email': string('ana@example.com'),
  'upload.company': string('Lima Design'),
  'upload.message': string('Please print by Friday.'),
  'cloud.folder': string('Orders'),
  'cloud.path': string('Orders/4711/flyer.pdf'),
  'org.name': string('Example Press'),
  'org.id': string('org_7f8a9b0c'),
  'org.logoUrl': string('https://print.example/logo.png'),
  'org.color': string('#0f766e'),
  'user.name': string('Piotr Nowak'),
  'user.email': string('piotr@print.example'),
  'order.id': string('4711'),
  'order.externalId': string('WEB-2026-4711'),
  'order.quantity': number(500),
  'order.dueDate': date('2026-11-27'),
  'order.product': string('Flyer A4'),
  date: date('2026-11-22'),
  time: string('08:05'),
  now: date('2026-11-22T08:05:00Z'),
  year: string('2026'),
  month: string('11'),
  day: string('22'),
  counter: number(1042),
  'counter.daily': number(17),
  'counter.all': number(5207),
  'app.title': string('pdf2press'),
  'app.baseUrl': string('https://print.example'),
} as const satisfies Record<string, Variable>;

/**
 * Names, or beginnings of names, that are reserved and have no value while a workflow runs. No list offers them.
 */
const withoutValue: readonly string[] = ['session.finishedAt', 'proof.', 'email.', 'cloud.', 'org.logoUrl'];
export const hasNoValue = (name: string): boolean => withoutValue.some((start) => name.startsWith(start));

/** Groups of names whose values are handed in with the file, beside the workflow's variables: by a program, or on a page. */
export const handedGroups: readonly string[] = ['order.', 'upload.'];

/** Variables of one side of a sheet: texts of an imposition's marks know them besides those of the session. */
export const sheetVariables = {
  'sheet.no': number(1),
  'sheet.count': number(5),
  'sheet.qty': number(100),
  side: choice(['Front', 'Back'], 'Front'),
} as const satisfies Record<string, Variable>;

/** Variables of one page: texts that a fix writes on pages know them besides those of the session. */
export const pageVariables = {
  'page.no': number(1),
  'page.label': string('iv'),
  'page.count': number(8),
  'trim.size': string('210 mm × 297 mm'),
  'trim.width': string('210 mm'),
  'trim.height': string('297 mm'),
} as const satisfies Record<string, Variable>;

/** Facts that conditions and routes know besides those of the session. Sizes of boxes are those of the first page. */
export const ruleVariables = {
  'preflight.findings': number(0),
  'step.previousResult': choice(resultLevels, 'Success'),
  'step.previousOutcome': string('done'),
  'session.rerouteCount': number(0),
  'pdf.mediaWidth': millimetres(230),
  'pdf.mediaHeight': millimetres(317),
  'pdf.cropWidth': millimetres(230),
  'pdf.cropHeight': millimetres(317),
  'pdf.bleedWidth': millimetres(216),
  'pdf.bleedHeight': millimetres(303),
  'pdf.artWidth': millimetres(210),
  'pdf.artHeight': millimetres(297),
  'pdf.isOneSize': yesNo(true),
} as const satisfies Record<string, Variable>;

/**
 * Variables of a message about a session: it is written when a proof is asked for or has been decided, so that these have
 * values, and every message has a recipient.
 */
export const messageVariables = {
  'recipient.name': string('Ana Lima'),
  'recipient.email': string('ana@example.com'),
  'failure.reason': string('The file is encrypted.'),
  'retention.files': string('the file as it came'),
  'retention.deletedAt': date('2026-12-04T08:09:00Z'),
  'retention.days': number(7),
  'session.finishedAt': sessionVariables['session.finishedAt'],
  'proof.url': sessionVariables['proof.url'],
  'proof.decision': sessionVariables['proof.decision'],
  'proof.decidedBy': sessionVariables['proof.decidedBy'],
  'proof.decidedAt': sessionVariables['proof.decidedAt'],
  'proof.comment': sessionVariables['proof.comment'],
  'proof.answer': string('Print it'),
  'proof.approve': string('Print it'),
  'proof.decline': string('Change it'),
  'proof.declinedPages': string('2, 5'),
  'proof.deadline': sessionVariables['proof.deadline'],
  'proof.version': sessionVariables['proof.version'],
} as const satisfies Record<string, Variable>;

/** Variables of a message about an account or a membership, which is about no session. */
export const accountVariables = {
  'user.name': sessionVariables['user.name'],
  'org.name': sessionVariables['org.name'],
  'app.title': sessionVariables['app.title'],
  'link.url': string('https://print.example/reset-password#token=1'),
  'link.minutes': number(30),
  'link.expiresAt': date('2026-11-22T08:35:00Z'),
} as const satisfies Record<string, Variable>;

/** Variables of the file that the readers of a proof may load: its watermark knows them besides those of the session. */
export const proofVariables = {
  'recipient.name': messageVariables['recipient.name'],
  'recipient.email': messageVariables['recipient.email'],
  'proof.version': sessionVariables['proof.version'],
  'proof.deadline': sessionVariables['proof.deadline'],
} as const satisfies Record<string, Variable>;

/** Names that a text knows besides those of the session, by where the text is used. */
export const variableScopes = {
  session: {},
  sheet: sheetVariables,
  page: pageVariables,
  rule: ruleVariables,
  message: messageVariables,
  account: accountVariables,
  proof: proofVariables,
} as const;
export type VariableScope = keyof typeof variableScopes;
