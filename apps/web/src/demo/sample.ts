import type { SessionStatus, Severity, WorkflowDefinition } from '@pdf2press/contract';
import { workflowDefinitionSchema } from '@pdf2press/contract';

/*
 * What the tour shows. Everything is made here and changed in the browser only.
 */

export interface SampleFile {
  id: string;
  name: string;
  customer: string;
  pages: number;
  status: SessionStatus;
  errors: number;
  warnings: number;
}

export const sampleFiles: readonly SampleFile[] = [
  {
    id: 'flyer',
    name: 'Spring flyer.pdf',
    customer: 'Bakery Sole',
    pages: 1,
    status: 'OnHold',
    errors: 2,
    warnings: 1,
  },
  {
    id: 'cards',
    name: 'Business cards Rossi.pdf',
    customer: 'Rossi Law',
    pages: 2,
    status: 'Completed',
    errors: 0,
    warnings: 0,
  },
  {
    id: 'menu',
    name: 'Menu autumn.pdf',
    customer: 'Osteria Blu',
    pages: 8,
    status: 'CompletedWithWarnings',
    errors: 0,
    warnings: 3,
  },
  {
    id: 'poster',
    name: 'Open day poster.pdf',
    customer: 'City Library',
    pages: 1,
    status: 'Failed',
    errors: 4,
    warnings: 0,
  },
];

/** A place on the sample page, millimetres from the upper left of the sheet. */
export interface SampleBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The sample page: A6 with 3 mm bleed around it, millimetres. */
export const samplePage = { width: 105, height: 148, bleed: 3 } as const;

export interface SampleFinding {
  id: 'bleed' | 'resolution' | 'colour';
  severity: Severity;
  box: SampleBox;
  /** A fix of the product clears it. */
  isFixable: boolean;
}

export const sampleFindings: readonly SampleFinding[] = [
  { id: 'resolution', severity: 'Fail', box: { x: 16, y: 62, width: 73, height: 48 }, isFixable: false },
  { id: 'bleed', severity: 'Fail', box: { x: 96, y: 0, width: 12, height: 148 }, isFixable: true },
  { id: 'colour', severity: 'Warn', box: { x: 14, y: 14, width: 70, height: 20 }, isFixable: true },
];

const at = (x: number, y: number) => ({ x: x * 240, y: y * 130 });

/** A file is checked and fixed, a person decides where errors are left, the customer approves, sheets are made. */
export const sampleWorkflow: WorkflowDefinition = workflowDefinitionSchema.parse({
  steps: [
    { id: 'inject', kind: 'Inject', position: at(0, 1) },
    { id: 'check', kind: 'Preflight', position: at(1, 1) },
    { id: 'fix', kind: 'Fix', position: at(2, 1) },
    { id: 'errors', kind: 'Condition', position: at(3, 1) },
    { id: 'hold', kind: 'Hold', position: at(4, 0) },
    { id: 'proof', kind: 'Proof', position: at(5, 1) },
    { id: 'impose', kind: 'Impose', position: at(6, 1) },
    { id: 'complete', kind: 'Complete', position: at(7, 1) },
    { id: 'cancel', kind: 'Cancel', position: at(6, 2) },
  ],
  edges: [
    { id: 'a', from: 'inject', outcome: 'done', to: 'check' },
    { id: 'b', from: 'check', outcome: 'done', to: 'fix' },
    { id: 'c', from: 'fix', outcome: 'done', to: 'errors' },
    { id: 'd', from: 'errors', outcome: 'true', to: 'hold' },
    { id: 'e', from: 'errors', outcome: 'false', to: 'proof' },
    { id: 'f', from: 'hold', outcome: 'continue', to: 'proof' },
    { id: 'g', from: 'proof', outcome: 'Approved', to: 'impose' },
    { id: 'h', from: 'proof', outcome: 'Declined', to: 'cancel' },
    { id: 'i', from: 'impose', outcome: 'done', to: 'complete' },
  ],
});
