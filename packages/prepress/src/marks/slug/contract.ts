import { z } from 'zod';
import { flag, length } from '../../layouts/settings.ts';
import { word } from '../../layouts/word.ts';

export const slugSettings = z
  .object({
    enabled: flag(true),
    text: z.string().max(500).default('{{file.name}}  {{sheet.no}}/{{sheet.count}} {{side}}  {{sheet.qty}}x  {{date}}'),
    size: length('6pt', { min: 2, max: 72, unit: 'points' }),
    edge: word(['Top', 'Bottom', 'Left', 'Right']).default('Bottom'),
    align: word(['Start', 'Centre', 'End']).default('Start'),
    /** From the edge of the sheet. */
    offset: length('1.5mm'),
  })
  .prefault({});
