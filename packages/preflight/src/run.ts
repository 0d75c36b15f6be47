/** Runs preflight and writes its reports. It opens PDFs, so only the child process of packages/tasks imports it. */
export { type PreflightOptions, preflight, rememberingOnly } from './judge/preflight.ts';
export { annotatedCopy } from './reports/annotated-copy.ts';
export { certificatePdf } from './reports/certificate.ts';
export { pdfReport } from './reports/pdf-report.ts';
