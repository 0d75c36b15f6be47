import { z } from 'zod';
import { choiceField, flagField, groupField, namesField, onlyWhen, percentOrOff } from '../../checks/fields.ts';
import { type Respelling, respell } from '../../fix/respell.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

/** ICCRGB is CalRGB too, CalGray is ICC grey too: what says of itself which colour it is. */
export const colourSources = ['DeviceRGB', 'ICCRGB', 'Lab', 'DeviceCMYK', 'ICCCMYK', 'DeviceGray', 'CalGray'] as const;
export const colourObjects = ['text', 'vector', 'shading', 'image', 'softMask'] as const;
const profile = (initial: string | null) => z.string().max(200).nullable().default(initial).meta({ unit: 'profile' });

/** Words of version 1 and of the specification (§2.1). */
const respelling: Respelling = {
  names: {
    assumedRgb: 'assumedSource.RGB',
    assumedCmyk: 'assumedSource.CMYK',
    assumedGray: 'assumedSource.Gray',
    preservePureK: 'preserve.pureK',
    preservePrimaries: 'preserve.pureCMY',
    'preserve.pureCMY primaries': 'preserve.pureCMY',
    'preserve.primaries': 'preserve.pureCMY',
    neutralToK: 'preserve.neutralToK',
    'preserve.neutralRGBToK': 'preserve.neutralToK',
    'preserve.neutralRGB→K': 'preserve.neutralToK',
    'preserve.neutral': 'preserve.neutralToK',
    grayToK: 'preserve.grayToK',
    'preserve.gray→K': 'preserve.grayToK',
    'preserve.gray': 'preserve.grayToK',
  },
  words: {
    target: { sRGB: 'RGB' },
    sources: {
      RGB: ['DeviceRGB', 'ICCRGB'],
      'CalRGB/ICC RGB': 'ICCRGB',
      CalRGB: 'ICCRGB',
      CMYK: 'DeviceCMYK',
      Gray: 'DeviceGray',
      // What becomes of them says `spotHandling`.
      spots: [],
    },
    destinationProfile: { 'output intent of file': null, 'output intent': null },
    'assumedSource.CMYK': { destination: null },
    'assumedSource.Gray': { 'dot gain': null },
    intent: {
      'relative colorimetric': 'relative',
      'relative colourimetric': 'relative',
      'absolute colorimetric': 'absolute',
      'absolute colourimetric': 'absolute',
    },
  },
  phrases: {
    spotHandling(text) {
      const name = /^MapTo\s*\((.+)\)$/i.exec(text)?.[1];
      return name === undefined ? null : { spotHandling: 'MapTo', mapTo: name.trim() };
    },
  },
};

/** Converts colour through ICC profiles wherever it stands, and leaves black black. */
export const colorspaceTransformation = defineFix({
  key: 'ColorspaceTransformation',
  version: 2,
  upgrades: { 1: (settings) => respell(settings, respelling) },
  respelling,
  group: 'colour',
  messages,
  order: 40,
  checks: ['ColorSpaces', 'OutputIntent'],
  mayChange: ['inks', 'overprint', 'overprintColours', 'images', 'outputIntents', 'metadata'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    /** Keep: no colour changes its space; spots and the output intent are seen to. */
    target: choiceField('CMYK', ['CMYK', 'Gray', 'RGB', 'Keep']),
    sources: onlyWhen(
      { target: ['CMYK', 'Gray', 'RGB'] },
      z.array(z.enum(colourSources)).default(['DeviceRGB', 'ICCRGB', 'Lab']),
    ),
    objects: z.array(z.enum(colourObjects)).default(['text', 'vector', 'shading', 'image']),
    /** Null: the file's output intent, else the house profile; grey as the press prints black. */
    destinationProfile: profile(null),
    /** What colour without a profile is; null: CMYK of the destination, grey as the press prints black, dot gain and all. */
    assumedSource: groupField({ RGB: profile('srgb'), CMYK: profile(null), Gray: profile(null) }),
    useEmbeddedProfile: flagField(true),
    useEmbeddedCmykProfile: flagField(false),
    intent: choiceField('relative', ['perceptual', 'relative', 'saturation', 'absolute']),
    blackPointCompensation: flagField(true),
    preserve: onlyWhen(
      { target: ['CMYK', 'Gray'] },
      groupField({
        pureK: flagField(true),
        pureCMY: flagField(true),
        neutralToK: flagField(true),
        grayToK: flagField(true),
      }),
    ),
    /** What becomes of the inks that `spotNames` means. */
    spotHandling: choiceField('Keep', ['Keep', 'ToAlternate', 'MapTo', 'ToProcess']),
    spotNames: onlyWhen({ spotHandling: ['ToAlternate', 'MapTo', 'ToProcess'] }, namesField(['*'])),
    mapTo: onlyWhen({ spotHandling: 'MapTo' }, z.string().max(200).default('')),
    setOutputIntent: onlyWhen({ target: ['CMYK', 'Keep'] }, flagField(true)),
    setBlendSpace: onlyWhen({ target: ['CMYK', 'Gray', 'RGB'] }, flagField(true)),
    maxInk: percentOrOff(null, { min: 200, max: 400 }),
    jpegQuality: z.number().int().min(50).max(100).default(92).meta({ unit: 'count' }),
  }),
});
