import { bytesField, bytesOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const mebibyte = 2 ** 20;
const max = 100 * 1024 * mebibyte;

export const fileSize = defineCheck({
  key: 'FileSize',
  version: 1,
  group: 'document',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    minBytes: bytesField(1024, { max }),
    warnAbove: bytesOrOff(500 * mebibyte, { max }),
    failAbove: bytesOrOff(2048 * mebibyte, { max }),
    warnAbovePerPage: bytesOrOff(null, { max }),
  }),
  rules: { tooSmall: 'Fail', tooLarge: 'Measured', pageAverage: 'Warn' },
  remedies: { tooSmall: 'export', tooLarge: 'fileSize', pageAverage: 'fileSize' },
});
