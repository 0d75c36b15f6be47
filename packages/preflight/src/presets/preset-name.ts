import type { Locale } from '@pdf2press/contract';
import { messages } from '../findings/messages.ts';
import type { Preset } from './preset.ts';

/** The name of a preset as its readers see it. Those of published specifications have the same one in every language. */
export const presetName = ({ key, name }: Preset, locale: Locale): string => messages[locale][`presets.${key}`] ?? name;
