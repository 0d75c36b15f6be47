import { placeholderText, word } from '@pdf2press/settings';
import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const barcodeSettings = z
  .object({
    enabled: flag(false),
    symbology: word(['qrcode', 'datamatrix', 'code128', 'code39', 'pdf417']).default('qrcode'),
    text: placeholderText({ scope: 'sheet', min: 1 }).default('{{session.id}}-{{sheet.no}}-{{side}}'),
    width: length('8mm', { min: 5, max: 600 }),
    height: length('8mm', { min: 5, max: 600 }),
    edge: word(['Top', 'Bottom', 'Left', 'Right']).default('Bottom'),
    align: word(['Start', 'Centre', 'End']).default('End'),
    offset: length('2mm'),
  })
  .prefault({});
