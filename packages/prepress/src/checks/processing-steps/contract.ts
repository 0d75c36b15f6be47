import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { flagField, namesField } from '../fields.ts';
import { messages } from './messages.ts';

/** Cutting, creasing, varnish as layers of their own (ISO 19593-1), or as technical spot colours. */
export const processingSteps = defineCheck({
  key: 'ProcessingSteps',
  version: 1,
  group: 'standards',
  messages,
  settings: z.strictObject({
    /** `Group/Type` of ISO 19593-1, with `*`: `Structural/Cutting`. */
    required: namesField(),
    notAllowed: namesField(),
    /** Technical spot colours of which one at least must be used. */
    requiredSpots: namesField(),
    /** Technical spots are lines that overprint, never areas. */
    technicalSpots: namesField([
      'CutContour',
      'Thru-cut',
      'Kiss-cut',
      'Cut',
      'Dieline',
      'Die*line',
      'Crease',
      'Creasing',
    ]),
    strokeOnly: flagField(true),
    overprintRequired: flagField(true),
  }),
  rules: { missing: 'Fail', notAllowed: 'Warn', spotMissing: 'Fail', filled: 'Warn', knocksOut: 'Warn' },
});
