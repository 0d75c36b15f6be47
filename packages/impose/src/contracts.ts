/** Profiles, plans and messages of imposition, for the browser and the API. Opens no PDF. */
export type { DieShape, LayoutInput, UsualPages } from './layouts/layout.ts';
export { layouts } from './layouts/layouts.ts';
export { imposeMessages, layoutMessages, markMessages, problemSentence, refusalSentence } from './layouts/say.ts';
export { type MarkKey, type MarksSettings, marks } from './marks/marks.ts';
export { type PreviewResult, planPreview } from './produce/preview.ts';
export { describeLayout } from './profile/describe.ts';
export {
  givenImposeProfileSchema,
  type ImposeProfile,
  type ImposeProfileInput,
  imposeProfileSchema,
  planOf,
  readImposeProfile,
} from './profile/profile.ts';
export { lengthParams, type PlanResult } from './sheet/problems.ts';
export { namedSheets } from './sheet/settings.ts';
