import { choiceField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

export const layers = defineCheck({
  key: 'Layers',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({ policy: choiceField('Allow', ['Allow', 'Disallow']) }),
  rules: { notAllowed: 'Fail', configs: 'Warn', hidden: 'Info', viewNotPrint: 'Warn' },
  remedies: 'layers',
});
