import { z } from 'zod';
import { choiceField, flagField, namesField, percentOrOff } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

export const colourSources = ['RGB', 'Lab', 'CMYK', 'ICCCMYK', 'Gray', 'CalGray', 'Spots'] as const;
export const colourObjects = ['text', 'vector', 'shading', 'image', 'softMask'] as const;
const profile = (initial: string | null) => z.string().max(200).nullable().default(initial).meta({ unit: 'profile' });

/** Converts colour through ICC profiles wherever it stands, and leaves black black. */
export const colorspaceTransformation = defineFix({
  key: 'ColorspaceTransformation',
  version: 1,
  group: 'colour',
  messages,
  order: 40,
  checks: ['ColorSpaces', 'OutputIntent'],
  mayChange: ['inks', 'overprint', 'images', 'outputIntents', 'metadata'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    /** Keep: no colour changes its space; spots and the output intent are seen to. */
    target: choiceField('CMYK', ['CMYK', 'Gray', 'RGB', 'Keep']),
    sources: z.array(z.enum(colourSources)).default(['RGB', 'Lab']),
    objects: z.array(z.enum(colourObjects)).default(['text', 'vector', 'shading', 'image']),
    /** Null: the file's output intent, else the house profile. */
    destinationProfile: profile(null),
    assumedRgb: profile('srgb'),
    assumedCmyk: profile(null),
    assumedGray: profile('gray'),
    useEmbeddedProfile: flagField(true),
    useEmbeddedCmykProfile: flagField(false),
    intent: choiceField('relative', ['perceptual', 'relative', 'saturation', 'absolute']),
    blackPointCompensation: flagField(true),
    preservePureK: flagField(true),
    preservePrimaries: flagField(true),
    neutralToK: flagField(true),
    grayToK: flagField(true),
    spotHandling: choiceField('Keep', ['Keep', 'ToAlternate', 'MapTo', 'ToProcess']),
    spotNames: namesField(['*']),
    mapTo: z.string().max(200).default(''),
    setOutputIntent: flagField(true),
    setBlendSpace: flagField(true),
    maxInk: percentOrOff(null, { min: 200, max: 400 }),
    jpegQuality: z.number().int().min(50).max(100).default(92).meta({ unit: 'count' }),
  }),
});
