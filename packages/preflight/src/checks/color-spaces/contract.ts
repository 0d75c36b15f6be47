import { choiceField } from '@pdf2press/settings';
import { z } from 'zod';
import { type ColourFamily, colourFamilies } from '../../reading/colour-families.ts';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const early: readonly ColourFamily[] = ['DeviceGray', 'DeviceCMYK', 'Separation', 'DeviceN'];
const intermediate: readonly ColourFamily[] = [...early, 'CalRGB', 'Lab', 'ICCRGB'];

interface Bound {
  image: readonly ColourFamily[];
  other: readonly ColourFamily[];
}

/**
 * Colour spaces allowed by when colours are converted for the press: before export, partly, or at the printer (GWG 2022
 * R0027 to R0029). Only pictures may wait for their conversion; text and graphics are in the inks they print in.
 */
export const bindingFamilies = {
  Early: { image: early, other: early },
  Intermediate: { image: intermediate, other: early },
  Late: { image: [...intermediate, 'CalGray', 'ICCGray', 'ICCCMYK'], other: early },
} as const satisfies Record<string, Bound>;

const families = z.array(z.enum(colourFamilies)).default([...colourFamilies]);

export const colorSpaces = defineCheck({
  key: 'ColorSpaces',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    binding: choiceField('PerObject', ['PerObject', 'Early', 'Intermediate', 'Late']),
    /** Families allowed per kind of object; for `PerObject`. */
    text: families,
    vector: families,
    image: families,
  }),
  rules: { notAllowed: 'Fail', untaggedRgb: 'Warn', iccCmyk: 'Info', lab: 'Info' },
  remedies: 'cmyk',
});
