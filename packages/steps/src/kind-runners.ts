/* How the kinds run. One line per kind. */
export { runAction as Action } from './action/run.ts';
export { runCancel as Cancel } from './cancel/run.ts';
export { runComplete as Complete } from './complete/run.ts';
export { runCondition as Condition } from './condition/run.ts';
export { runFix as Fix } from './fix/run.ts';
export { runHold as Hold } from './hold/run.ts';
export { runImpose as Impose } from './impose/run.ts';
export { runInject as Inject } from './inject/run.ts';
export { runPreflight as Preflight } from './preflight/run.ts';
export { runProof as Proof } from './proof/run.ts';
export { runRename as Rename } from './rename/run.ts';
export { runRetention as Retention } from './retention/run.ts';
export { runRoute as Route } from './route/run.ts';
