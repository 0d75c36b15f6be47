import { z } from 'zod';
import { choiceField, flagField, onlyWhen } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

const identified = { standard: ['PDF/X-4', 'PDF/X-1a:2001', 'PDF/X-1a:2003'] };

/** Gives the file its output intent and the identification of PDF/X, when it keeps that standard's rules. */
export const convertToPdfx = defineFix({
  key: 'ConvertToPdfX',
  version: 1,
  group: 'standards',
  messages,
  order: 120,
  checks: ['PdfX', 'OutputIntent'],
  mayChange: ['boxes', 'outputIntents', 'metadata', 'layers'],
  mayLookDifferent: 'nowhere',
  settings: z.strictObject({
    /** None: only the output intent. */
    standard: choiceField('PDF/X-4', ['None', 'PDF/X-4', 'PDF/X-1a:2001', 'PDF/X-1a:2003']),
    profile: z.string().max(200).default('fogra39l-coated').meta({ unit: 'profile' }),
    identifier: z.string().max(200).default(''),
    condition: z.string().max(500).default(''),
    registry: z.string().max(500).default('http://www.color.org'),
    replaceIntent: flagField(false),
    trapped: onlyWhen(identified, choiceField('Keep', ['Keep', 'True', 'False'])),
    title: onlyWhen(identified, z.string().max(500).default('')),
    /** A missing TrimBox is taken from the CropBox. */
    setTrimBox: onlyWhen(identified, flagField(true)),
    /** Failed when the file breaks a rule that this action cannot mend; off: it warns, does what it can and identifies nothing. */
    strict: onlyWhen(identified, flagField(true)),
  }),
});
