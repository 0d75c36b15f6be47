import { nUpSettingsSchema } from '../n-up.ts';

export const acrossDownSettingsSchema = nUpSettingsSchema;
