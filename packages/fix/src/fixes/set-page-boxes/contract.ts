import { choiceField, flagField, lengthField, mm, onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const margin = () => lengthField(0, { min: -mm(1000), max: mm(5000) });

const someBox = { box: ['Trim', 'Bleed', 'Crop', 'Art', 'Media'] };

/** Sets a page box from another box, from crop marks or to a size, and corrects boxes that are not nested. */
export const setPageBoxes = defineFix({
  key: 'SetPageBoxes',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 20,
  checks: ['PageBoxes', 'BoxPolicy'],
  mayChange: ['boxes'],
  mayLookDifferent: 'nowhere',
  isStructural: true,
  isRelative: ({ box, from, onlyIfMissing }) => from === `${box}Box` && !onlyIfMissing,
  settings: z.strictObject({
    box: choiceField('Trim', ['Trim', 'Bleed', 'Crop', 'Art', 'Media', 'None']),
    from: onlyWhen(
      someBox,
      choiceField('CropBox', ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox', 'Marks', 'Size', 'Values']),
    ),
    /** Taken off each side; negative values add. */
    inset: onlyWhen(
      someBox,
      z.strictObject({ left: margin(), right: margin(), top: margin(), bottom: margin() }).prefault({}),
    ),
    width: onlyWhen({ ...someBox, from: 'Size' }, lengthField(mm(210), { min: 1, max: mm(5000) })),
    height: onlyWhen({ ...someBox, from: 'Size' }, lengthField(mm(297), { min: 1, max: mm(5000) })),
    /** Corners for `Values`, in default user space. */
    values: onlyWhen(
      { ...someBox, from: 'Values' },
      z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable().default(null).meta({ unit: 'length' }),
    ),
    onlyIfMissing: onlyWhen(someBox, flagField(true)),
    /** Cuts every box to the MediaBox and the TrimBox to the BleedBox. */
    nest: flagField(true),
    cropToMedia: flagField(false),
    removeArtBox: flagField(false),
  }),
});
