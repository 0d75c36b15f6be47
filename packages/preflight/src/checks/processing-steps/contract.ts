import { flagField, namesField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** Processing steps such as cutting, creasing and varnish: as layers (ISO 19593-1) or as technical spot colours. */
export const processingSteps = defineCheck({
  key: 'ProcessingSteps',
  version: 1,
  group: 'standards',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    /** `Group/Type` of ISO 19593-1, with `*` for any characters: `Structural/Cutting`. */
    required: namesField(),
    notAllowed: namesField(),
    /** At least one of these spot colours must be used. */
    requiredSpots: namesField(),
    /** Spot colours that must be strokes that overprint. */
    technicalSpots: namesField([
      'CutContour',
      'Thru-cut',
      'Kiss-cut',
      'Cut',
      'Dieline',
      'Die*line',
      'Crease',
      'Creasing',
      'Reverse*creas*',
    ]),
    strokeOnly: flagField(true),
    overprintRequired: flagField(true),
  }),
  rules: { missing: 'Fail', notAllowed: 'Warn', spotMissing: 'Fail', filled: 'Warn', knocksOut: 'Warn' },
  remedies: 'cutLine',
});
