/** The door for whoever describes work on PDFs without doing it: profile editor, builder, API. Runs in a browser. */
export {
  type CheckKey,
  checkContracts,
  checkKeys,
  type RuleOf,
  type SettingsOf,
} from './checks/contracts.ts';
export {
  type CheckContract,
  type CheckGroup,
  checkGroups,
  type RuleSeverity,
} from './checks/define-check.ts';
export { type FieldUnit, fieldUnits } from './checks/fields.ts';
export { describeFix, type FixDescription, type FixParameter } from './fix/describe.ts';
export { messages as fixFrameMessages } from './fix/messages.ts';
export { inversions, orderedActions } from './fix/order.ts';
export { type FixPreset, fixPresetOf, fixPresets, fixPresetWords } from './fix/presets.ts';
export {
  type FixProfile,
  type FixProfileInput,
  fixProfileSchema,
  givenFixProfileSchema,
  type ProfileAction,
  profileActionSchema,
  readFixProfile,
} from './fix/profile.ts';
export {
  fixActionLabel,
  fixChangeSentence,
  fixProofSentence,
  fixReasonSentence,
  fixReasonTold,
} from './fix/sentences.ts';
export { type FixContractOf, type FixKey, type FixSettingsOf, fixContracts, fixKeys } from './fixes/contracts.ts';
export { type FixContract, type FixGroup, fixGroups } from './fixes/define-fix.ts';
export { type PreviewResult, planPreview } from './impose/preview.ts';
export type { DieShape, LayoutInput } from './layouts/layout.ts';
export {
  givenImposeProfileSchema,
  type ImposeProfile,
  type ImposeProfileInput,
  imposeProfileSchema,
  layouts,
  planOf,
  readImposeProfile,
} from './layouts/layouts.ts';
export { lengthParams, type PlanResult } from './layouts/problems.ts';
export { imposeMessages, layoutMessages, markMessages, problemSentence, refusalSentence } from './layouts/say.ts';
export { namedSheets } from './layouts/settings.ts';
export { type MarkKey, type MarksSettings, marks } from './marks/marks.ts';
export { readProfile } from './preflight/bind-variables.ts';
export {
  type Audience,
  checkLabel,
  findingSentence,
  measureText,
} from './preflight/finding-sentence.ts';
export { messages as frameMessages } from './preflight/messages.ts';
export {
  type PreflightProfile,
  type PreflightProfileInput,
  type ProfileCheck,
  preflightProfileSchema,
  profileFrameSchema,
  severityOf,
} from './preflight/profile.ts';
export {
  defaultPreflightProfile,
  type Preset,
  type PresetGroup,
  presetOf,
  presets,
} from './presets/presets.ts';
