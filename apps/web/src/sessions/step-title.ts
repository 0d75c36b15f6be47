import type { StepKind } from '@pdf2press/contract';

/** What a step is called: by whoever made the workflow, else by its kind. */
export const stepTitle = (step: { name: string; kind: StepKind }, t: (key: string) => string): string =>
  step.name || t(`step.${step.kind}`);
