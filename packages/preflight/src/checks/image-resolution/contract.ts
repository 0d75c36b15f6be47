import { areaField, countField, flagField, groupField, ppiOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const colour = { min: 1, max: 2400 };
const oneBit = { min: 1, max: 9600 };

/** Effective resolution of placed images. As in GWG 2022 R0031 to R0033 the value must be greater than the limit. */
export const imageResolution = defineCheck({
  key: 'ImageResolution',
  version: 2,
  group: 'images',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  upgrades: {
    1: (settings) =>
      'ignoreHidden' in settings ? { ignoreFullyClipped: settings.ignoreHidden, ...settings } : settings,
  },
  settings: z.strictObject({
    colourGray: groupField({
      failBelow: ppiOrOff(149, colour),
      warnBelow: ppiOrOff(224, colour),
      infoAbove: ppiOrOff(450, colour),
    }),
    oneBit: groupField({
      failBelow: ppiOrOff(549, oneBit),
      warnBelow: ppiOrOff(799, oneBit),
      infoAbove: ppiOrOff(3600, oneBit),
    }),
    singleImagePage: groupField({
      failBelow: ppiOrOff(null, colour),
      warnBelow: ppiOrOff(null, colour),
    }),
    ignoreSmallerThanPx: countField(16, { max: 1000 }),
    ignoreSmallerThanArea: areaField(0, { max: 1e6 }),
    ignoreSoftMasks: flagField(true),
    ignoreFullyClipped: flagField(true),
    ignoreHidden: flagField(true),
    bufferVisibleOnly: flagField(true),
  }),
  rules: {
    low: 'Measured',
    lowOneBit: 'Measured',
    lowSoftMask: 'Measured',
    high: 'Info',
    highOneBit: 'Info',
    singleImagePage: 'Measured',
  },
  remedies: {
    low: 'pictureResolution',
    lowOneBit: 'pictureResolution',
    lowSoftMask: 'pictureResolution',
    high: 'fileSize',
    highOneBit: 'fileSize',
    singleImagePage: 'pictureResolution',
  },
});
