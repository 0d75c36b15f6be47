/* The door `@pdf2press/steps/contracts`: everything about the kinds of step but how they run. */
export { checkWorkflow, hasRegularExpressions } from './check-workflow.ts';
export type { MergedOfZip } from './inject/merged.ts';
export { stepMessages } from './messages.ts';
export {
  type DeliveryRequest,
  deliveryAnswerSchema,
  deliveryRequestSchema,
  type EffectRefusal,
  effectRefusalSchema,
  webhookAnswerSchema,
  webhookRequestSchema,
} from './requests.ts';
export type * from './step.ts';
export { stepGroups } from './step.ts';
export { type RunnableKind, stepContracts } from './step-contracts.ts';
