/** Door for tests of other rooms: workflows that break each rule. */
export { type BrokenWorkflow, brokenWorkflows, toldAtGestureOnly } from './testing/broken-workflows.ts';
export {
  foreignProfileId,
  onlyRules,
  rerouted,
  soundProfileId,
  soundWorkflow,
  without,
  withSettings,
  withStep,
  withVariables,
} from './testing/sound-workflow.ts';
