import type { StepKind } from '@pdf2press/contract';
import { type StepContract, stepContracts, stepGroups, stepMessages } from '@pdf2press/steps/contracts';

/** A kind of step as the canvas draws it. */
export type DrawnKind = Omit<StepContract, 'settings' | 'check' | 'checkProfile'>;

export { stepGroups, stepMessages };

/** Every kind as it is drawn. A build leaves out what this type leaves out: see `drawn-steps.ts` beside `src`. */
export const drawnKinds: Readonly<Record<StepKind, DrawnKind>> = stepContracts;
