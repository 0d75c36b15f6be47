import type { Locale } from '@pdf2press/contract';
import { messages } from './messages.ts';

/** The name of a preset as its readers see it. Those of published specifications have the same one in every language. */
export const presetName = ({ key, name }: { key: string; name: string }, locale: Locale): string =>
  messages[locale][`presets.${key}`] ?? name;
