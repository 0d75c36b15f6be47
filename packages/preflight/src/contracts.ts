/** Profiles, checks, presets and sentences of findings, for code that does not run preflight. Works in a browser. */
export {
  type CheckKey,
  checkContracts,
  checkKeys,
  type RuleOf,
  remedyOf,
  type SettingsOf,
} from './checks/contracts.ts';
export {
  type CheckContract,
  type CheckGroup,
  checkGroups,
  type RuleSeverity,
} from './checks/define-check.ts';
export { describeCheck } from './findings/describe-check.ts';
export {
  type Audience,
  checkLabel,
  findingSentence,
  measureText,
  ruleLabel,
} from './findings/finding-sentence.ts';
export { messages as frameMessages } from './findings/messages.ts';
export { presetName } from './findings/preset-name.ts';
export {
  defaultPreflightProfile,
  type Preset,
  type PresetGroup,
  presetOf,
  presets,
} from './presets/presets.ts';
export { readProfile } from './profile/bind-variables.ts';
export {
  type PreflightProfile,
  type PreflightProfileInput,
  type ProfileCheck,
  preflightProfileSchema,
  severityOf,
} from './profile/profile.ts';
export { savedPreflightProfileSchema } from './profile/saved-profile.ts';
export { profileFrameSchema } from './reading/profile-frame.ts';
