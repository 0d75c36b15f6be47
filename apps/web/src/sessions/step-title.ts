import type { StepKind } from '@pdf2press/contract';

/** The name of a step given in the workflow, else the label of its kind. */
export const stepTitle = (step: { name: string; kind: StepKind }, t: (key: string) => string): string =>
  step.name || t(`step.${step.kind}`);
