import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { choiceField } from '../fields.ts';
import { messages } from './messages.ts';

export const colourFamilies = [
  'DeviceGray',
  'DeviceCMYK',
  'DeviceRGB',
  'CalGray',
  'CalRGB',
  'Lab',
  'ICCGray',
  'ICCRGB',
  'ICCCMYK',
  'Separation',
  'DeviceN',
] as const;
export type ColourFamily = (typeof colourFamilies)[number];

const early: readonly ColourFamily[] = ['DeviceGray', 'DeviceCMYK', 'Separation', 'DeviceN'];
const intermediate: readonly ColourFamily[] = [...early, 'CalRGB', 'Lab', 'ICCRGB'];

/** When colour is bound to the press: before export, in part, or at the printer's (GWG 2022 R0027 to R0029). */
export const bindingFamilies = {
  Early: early,
  Intermediate: intermediate,
  Late: [...intermediate, 'CalGray', 'ICCGray', 'ICCCMYK'],
} as const satisfies Record<string, readonly ColourFamily[]>;

const families = z.array(z.enum(colourFamilies)).default([...colourFamilies]);

export const colorSpaces = defineCheck({
  key: 'ColorSpaces',
  version: 1,
  group: 'colour',
  messages,
  settings: z.strictObject({
    binding: choiceField('PerObject', ['PerObject', 'Early', 'Intermediate', 'Late']),
    /** With PerObject: what each kind of object may use. */
    text: families,
    vector: families,
    image: families,
  }),
  rules: { notAllowed: 'Fail', untaggedRgb: 'Warn', iccCmyk: 'Info', lab: 'Info' },
});
