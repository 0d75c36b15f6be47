/* The door `@pdf2press/steps/contracts`: what kinds of step there are. One line per kind. */
import { cancelContract } from './cancel/contract.ts';
import { completeContract } from './complete/contract.ts';
import { fixContract } from './fix/contract.ts';
import { holdContract } from './hold/contract.ts';
import { imposeContract } from './impose/contract.ts';
import { injectContract } from './inject/contract.ts';
import { preflightContract } from './preflight/contract.ts';

export type * from './step.ts';

export const stepContracts = {
  Inject: injectContract,
  Preflight: preflightContract,
  Fix: fixContract,
  Impose: imposeContract,
  Hold: holdContract,
  Complete: completeContract,
  Cancel: cancelContract,
};
export type RunnableKind = keyof typeof stepContracts;
