/** For tests of other packages: a case for each rule, its PDF and its report. */
export { runnerOf } from './checks/runners.ts';
export { ruleCases } from './quality/cases.ts';
export { pdfOf } from './quality/doc.ts';
export { reportOf } from './quality/quality.ts';
export type { RuleCase } from './quality/rule-case.ts';
export { messages as reportMessages } from './reports/messages.ts';
