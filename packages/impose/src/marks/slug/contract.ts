import { placeholderText, word } from '@pdf2press/settings';
import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const slugSettings = z
  .object({
    enabled: flag(true),
    text: placeholderText({ scope: 'sheet' }).default(
      '{{file.name}}  {{sheet.no}}/{{sheet.count}} {{side}}  {{sheet.qty}}x  {{date}}',
    ),
    size: length('6pt', { min: 2, max: 72, unit: 'points' }),
    edge: word(['Top', 'Bottom', 'Left', 'Right']).default('Bottom'),
    align: word(['Start', 'Centre', 'End']).default('Start'),
    /** Distance to the edge of the sheet. */
    offset: length('1.5mm'),
  })
  .prefault({});
