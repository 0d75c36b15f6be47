/* What kinds of step there are. One line per kind. */
export { actionContract as Action } from './action/contract.ts';
export { cancelContract as Cancel } from './cancel/contract.ts';
export { completeContract as Complete } from './complete/contract.ts';
export { conditionContract as Condition } from './condition/contract.ts';
export { fixContract as Fix } from './fix/contract.ts';
export { holdContract as Hold } from './hold/contract.ts';
export { imposeContract as Impose } from './impose/contract.ts';
export { injectContract as Inject } from './inject/contract.ts';
export { preflightContract as Preflight } from './preflight/contract.ts';
export { proofContract as Proof } from './proof/contract.ts';
export { renameContract as Rename } from './rename/contract.ts';
export { retentionContract as Retention } from './retention/contract.ts';
export { routeContract as Route } from './route/contract.ts';
