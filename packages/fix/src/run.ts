/** Door for the child process that opens PDFs; other rooms ask the tasks room to run fixes. */
export { type FixOptions, fixPdf } from './apply/fix.ts';
export { fixReportLines } from './log/sentences.ts';
export { readFixProfile } from './profile/profile.ts';
