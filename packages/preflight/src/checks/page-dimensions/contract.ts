import {
  choiceField,
  flagField,
  groupField,
  lengthField,
  lengthOrOff,
  mm,
  onlyWhen,
  percentField,
  ppiOrOff,
  ratioField,
} from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const side = { max: 14_400 };

/** Size of a page box. The key is misspelt in stored profiles and stays so. */
export const pageDimensions = defineCheck({
  key: 'PageDimentions',
  version: 1,
  group: 'pages',
  usesTrim: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    box: choiceField('Trim', ['Trim', 'Media', 'Crop', 'Bleed', 'Art']),
    mode: choiceField('AllSame', ['AllSame', 'Exact', 'OneOf', 'Range', 'AspectRatio']),
    width: onlyWhen({ mode: 'Exact' }, lengthOrOff(null, side)),
    height: onlyWhen({ mode: 'Exact' }, lengthOrOff(null, side)),
    sizes: onlyWhen(
      { mode: 'OneOf' },
      z
        .array(
          z.strictObject({
            name: z.string().max(100).default(''),
            width: z.number().min(0),
            height: z.number().min(0),
          }),
        )
        .max(200)
        .default([])
        .meta({ unit: 'length' }),
    ),
    range: onlyWhen(
      { mode: 'Range' },
      groupField({
        minWidth: lengthOrOff(null, side),
        maxWidth: lengthOrOff(null, side),
        minHeight: lengthOrOff(null, side),
        maxHeight: lengthOrOff(null, side),
      }),
    ),
    aspect: onlyWhen(
      { mode: 'AspectRatio' },
      groupField({
        ratio: ratioField(Math.SQRT2, { min: 0.01, max: 100 }),
        tolerance: ratioField(0.01, { max: 1 }),
      }),
    ),
    tolerance: lengthField(mm(0.5), { max: mm(10) }),
    orientationInsensitive: flagField(true),
    applyRotate: flagField(true),
    applyUserUnit: flagField(true),
    acceptScalable: groupField(
      {
        mode: choiceField('Off', ['Off', 'Proportional']),
        maxScale: onlyWhen({ mode: 'Proportional' }, percentField(200, { min: 1, max: 10_000 })),
        minPpi: onlyWhen({ mode: 'Proportional' }, ppiOrOff(149, { min: 1, max: 2400 })),
      },
      'mode',
    ),
    sizeIncludesBleed: groupField(
      {
        isDetected: flagField(true),
        bleed: onlyWhen({ isDetected: true }, lengthField(mm(3), { max: mm(100) })),
      },
      'isDetected',
    ),
  }),
  rules: {
    size: 'Fail',
    differs: 'Fail',
    scalable: 'Info',
    sizeIncludesBleed: 'Warn',
    userUnit: 'Off',
    cropNotMedia: 'Off',
  },
  remedies: 'pageSize',
});
