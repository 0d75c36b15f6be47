import {
  choiceField,
  flagField,
  groupField,
  namesField,
  onlyWhen,
  percentField,
  percentOrOff,
  type Respelling,
  respell,
} from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Sources by kind: ICCRGB includes CalRGB, CalGray includes ICC-based grey. */
export const colourSources = ['DeviceRGB', 'ICCRGB', 'Lab', 'DeviceCMYK', 'ICCCMYK', 'DeviceGray', 'CalGray'] as const;
export const colourObjects = ['text', 'vector', 'shading', 'image', 'softMask'] as const;
const profile = (initial: string | null) => z.string().max(200).nullable().default(initial).meta({ unit: 'profile' });

/** Alternative names and values, including those of version 1. */
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
      // Spots are handled by `spotHandling`.
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

/** Converts colours with ICC profiles; black stays black. */
export const colorspaceTransformation = defineFix({
  key: 'ColorspaceTransformation',
  version: 2,
  upgrades: { 1: (settings) => respell(settings, respelling) },
  respelling,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 40,
  checks: ['ColorSpaces', 'OutputIntent'],
  mayChange: ['inks', 'overprint', 'overprintColours', 'images', 'outputIntents', 'metadata'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    /** Keep: no colours are converted; only spots and the output intent are handled. */
    target: choiceField('CMYK', ['CMYK', 'Gray', 'RGB', 'Keep']),
    sources: onlyWhen(
      { target: ['CMYK', 'Gray', 'RGB'] },
      z.array(z.enum(colourSources)).default(['DeviceRGB', 'ICCRGB', 'Lab']),
    ),
    objects: z.array(z.enum(colourObjects)).default(['text', 'vector', 'shading', 'image']),
    /** Null: the output intent's profile, else the default one; for grey, tints of black as the press prints them. */
    destinationProfile: profile(null),
    /**
     * Profiles for colours without one. Null: for CMYK the destination profile, for grey tints of black including dot
     * gain.
     */
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
        /** How far apart the components of a near-neutral RGB colour may be; for Lab, its chroma. */
        neutralTolerance: percentField(0, { max: 20 }),
        /** Near-neutral pixels of RGB pictures print in black only as well. */
        neutralPixelsToK: flagField(false),
        /** Tints of black get the lightness of the grey, instead of being spread between paper and full black. */
        keepLightness: flagField(false),
      }),
    ),
    /** What to do with the inks named in `spotNames`. */
    spotHandling: choiceField('Keep', ['Keep', 'ToAlternate', 'MapTo', 'ToProcess']),
    spotNames: onlyWhen({ spotHandling: ['ToAlternate', 'MapTo', 'ToProcess'] }, namesField(['*'])),
    mapTo: onlyWhen({ spotHandling: 'MapTo' }, z.string().max(200).default('')),
    setOutputIntent: onlyWhen({ target: ['CMYK', 'Keep'] }, flagField(true)),
    setBlendSpace: onlyWhen({ target: ['CMYK', 'Gray', 'RGB'] }, flagField(true)),
    maxInk: percentOrOff(null, { min: 200, max: 400 }),
    jpegQuality: z.number().int().min(50).max(100).default(92).meta({ unit: 'count' }),
  }),
});
