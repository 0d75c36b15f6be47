import { nUpSettingsSchema } from '../n-up.ts';

export const downAcrossSettingsSchema = nUpSettingsSchema;
