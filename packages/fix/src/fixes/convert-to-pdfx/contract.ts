import { choiceField, flagField, onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const identified = { standard: ['PDF/X-4', 'PDF/X-1a:2001', 'PDF/X-1a:2003'] };

/** Sets the output intent and the PDF/X identification, if the file conforms to the standard. */
export const convertToPdfx = defineFix({
  key: 'ConvertToPdfX',
  version: 1,
  group: 'standards',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 120,
  checks: ['PdfX', 'OutputIntent'],
  // Images are recoded where the standard forbids their compression; how they look is compared.
  mayChange: ['boxes', 'outputIntents', 'metadata', 'layers', 'images'],
  mayLookDifferent: 'nowhere',
  settings: z.strictObject({
    /** None: only the output intent is set. */
    standard: choiceField('PDF/X-4', ['None', 'PDF/X-4', 'PDF/X-1a:2001', 'PDF/X-1a:2003']),
    profile: z.string().max(200).default('fogra39l-coated').meta({ unit: 'profile' }),
    identifier: z.string().max(200).default(''),
    condition: z.string().max(500).default(''),
    registry: z.string().max(500).default('http://www.color.org'),
    replaceIntent: flagField(false),
    trapped: onlyWhen(identified, choiceField('Keep', ['Keep', 'True', 'False'])),
    title: onlyWhen(identified, z.string().max(500).default('')),
    /** A missing TrimBox is set from the CropBox. */
    setTrimBox: onlyWhen(identified, flagField(true)),
    /**
     * Fails if the file breaks a rule that this action cannot correct; otherwise warns, sets the output intent and does
     * not identify the file.
     */
    strict: onlyWhen(identified, flagField(true)),
  }),
});
