import { z } from 'zod';
import { flag, length } from '../../layouts/settings.ts';

export const barcodeSettings = z
  .object({
    enabled: flag(false),
    symbology: z.enum(['qrcode', 'datamatrix', 'code128', 'code39', 'pdf417']).default('qrcode'),
    text: z.string().min(1).max(500).default('{{session.id}}-{{sheet.no}}-{{side}}'),
    width: length('8mm', { min: 5, max: 600 }),
    height: length('8mm', { min: 5, max: 600 }),
    edge: z.enum(['Top', 'Bottom', 'Left', 'Right']).default('Bottom'),
    align: z.enum(['Start', 'Centre', 'End']).default('End'),
    offset: length('2mm'),
  })
  .prefault({});
