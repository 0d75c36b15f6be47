/** Door for describing fixes without running them: profile editor, workflow builder and API. Runs in a browser. */
export { type FixContractOf, type FixKey, type FixSettingsOf, fixContracts, fixKeys } from './fixes/contracts.ts';
export { type FixContract, type FixGroup, fixGroups } from './kind/define-fix.ts';
export { messages as fixFrameMessages } from './log/messages.ts';
export {
  fixActionLabel,
  fixChangeSentence,
  fixProofSentence,
  fixReasonSentence,
  fixReasonTold,
} from './log/sentences.ts';
export { describeFix } from './profile/describe.ts';
export { embedsFonts, fontsEmbedded } from './profile/fonts.ts';
export { inversions, orderedActions } from './profile/order.ts';
export { type FixPreset, fixPresetOf, fixPresets, fixPresetWords } from './profile/presets.ts';
export {
  type FixProfile,
  type FixProfileInput,
  fixProfileSchema,
  givenFixProfileSchema,
  type ProfileAction,
  profileActionSchema,
  readFixProfile,
} from './profile/profile.ts';
