import { choiceField, flagField, lengthField, mm, onlyWhen, sidesField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

export const fillModes = [
  'UseHiddenContent',
  'MirrorAsImage',
  'MirrorObjects',
  'Repeat',
  'Stretch',
  'ScalePage',
] as const;

/** Settings that apply when bleed is added beside the page instead of scaling it. */
const drawn = { fillMode: ['UseHiddenContent', 'MirrorAsImage', 'MirrorObjects', 'Repeat', 'Stretch'] };

/** Adds bleed on each side that has too little. Content inside the trim does not change. */
export const addBleeds = defineFix({
  key: 'AddBleeds',
  version: 2,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 100,
  checks: ['Bleed'],
  mayChange: ['boxes', 'images', 'text', 'overprint'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    amount: sidesField(mm(3), { max: mm(100) }),
    onlyWhereShort: onlyWhen(drawn, flagField(true)),
    fillMode: choiceField('UseHiddenContent', fillModes),
    corners: onlyWhen(drawn, flagField(true)),
    innerOffset: onlyWhen(drawn, lengthField(mm(0.1), { max: mm(10) })),
    dpi: onlyWhen(drawn, z.number().int().min(72).max(1200).default(300).meta({ unit: 'dpi' })),
    imageColourSpace: onlyWhen(drawn, choiceField('File', ['File', 'DeviceCMYK'])),
    /** No bleed at the spine of facing pages. */
    innerEdge: flagField(true),
    /** FromFile: facing if the catalog's PageLayout shows two pages side by side. */
    facingPages: onlyWhen({ innerEdge: true }, choiceField('FromFile', ['FromFile', 'Yes', 'No'])),
    scalePercent: onlyWhen(
      { fillMode: 'ScalePage' },
      z.number().min(100).max(120).default(102).meta({ unit: 'percent' }),
    ),
    repeatNearText: onlyWhen({ fillMode: ['UseHiddenContent', 'MirrorAsImage', 'MirrorObjects'] }, flagField(true)),
    setBleedBox: flagField(true),
    growMedia: flagField(true),
  }),
  upgrades: {
    1: ({ innerEdge, ...rest }) =>
      typeof innerEdge === 'string'
        ? { ...rest, innerEdge: innerEdge === 'Skip', facingPages: 'Yes' }
        : { ...rest, ...(innerEdge !== undefined && { innerEdge }) },
  },
});
