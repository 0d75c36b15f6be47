/** Rules about single objects: each stands in the middle of a page, over and under its limit. */
import { doc, type RuleCase, text } from './rule-case.ts';

const imageAt = (name: string, size: number) => `q ${size} 0 0 ${size} 100 200 cm /${name} Do Q`;
/** 100 px so large that they have this resolution. */
const at = (ppi: number, pixels = 100) => (pixels * 72) / ppi;
const line = (width: number, colour = '0 0 0 1 K') => `${colour} ${width} w 100 200 m 200 200 l S`;
const onCyan = (content: string) => `1 0 0 0 k 50 150 200 200 re f ${content}`;
const object = 'object' as const;

const cases: Omit<RuleCase, 'kind'>[] = [
  { rule: 'ImageResolution.low', breaks: doc(imageAt('Im', at(149))), passes: doc(imageAt('Im', at(225))) },
  {
    rule: 'ImageResolution.low',
    settings: { colourGray: { failBelow: 149, warnBelow: null } },
    breaks: doc(imageAt('Im', at(149.4))),
    passes: doc(imageAt('Im', at(149.6))),
  },
  {
    rule: 'ImageResolution.lowOneBit',
    settings: { oneBit: { failBelow: 549, warnBelow: null } },
    breaks: doc(imageAt('Bit', at(549.4, 400))),
    passes: doc(imageAt('Bit', at(549.6, 400))),
  },
  { rule: 'ImageResolution.high', breaks: doc(imageAt('Im', at(451))), passes: doc(imageAt('Im', at(449))) },
  {
    rule: 'ImageResolution.highOneBit',
    settings: { oneBit: { infoAbove: 1200 } },
    breaks: doc(imageAt('Bit', at(1201, 400))),
    passes: doc(imageAt('Bit', at(1199, 400))),
  },
  {
    rule: 'ImageResolution.singleImagePage',
    settings: { singleImagePage: { failBelow: 149, warnBelow: 449 } },
    breaks: doc(imageAt('Im', at(400))),
    passes: doc(`${imageAt('Im', at(400))} ${text(12, '0 g')}`),
  },
  { rule: 'Fonts.notEmbedded', breaks: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'), passes: doc(text(12, '0 g')) },
  { rule: 'Fonts.courier', breaks: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'), passes: doc(text(12, '0 g')) },
  {
    rule: 'Fonts.type',
    settings: { allowedTypes: ['TrueType'] },
    breaks: doc(text(12, '0 g')),
    passes: doc('0 g 10 10 10 10 re f'),
  },
  {
    rule: 'Fonts.name',
    settings: { names: { policy: 'Disallow', list: ['Helv*'] } },
    breaks: doc(text(12, '0 g')),
    passes: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'),
  },
  {
    rule: 'Fonts.small',
    settings: { minSize: { failBelow: 5, warnBelow: null } },
    breaks: doc(text(4.9, '0 g')),
    passes: doc(text(5, '0 g')),
  },
  {
    rule: 'Fonts.smallWhite',
    settings: { minSizeWhite: 9 },
    breaks: doc(text(8.9, '0 0 0 0 k')),
    passes: doc(text(9, '0 0 0 0 k')),
  },
  {
    rule: 'Fonts.smallWhite',
    settings: { minSizeWhite: 9 },
    breaks: doc(text(8.9, '1 g')),
    passes: doc(text(8.9, '0.99 g')),
  },
  {
    rule: 'Fonts.smallMultiInk',
    settings: { minSizeMultiInk: 8 },
    breaks: doc(text(7.9, '0 1 0 1 k')),
    passes: doc(text(8, '0 1 0 1 k')),
  },
  {
    rule: 'Fonts.smallMultiInk',
    settings: { minSizeMultiInk: 8 },
    breaks: doc(text(7.9, '0 1 1 0 k')),
    passes: doc(text(7.9, '0 1 0 0 k')),
  },
  {
    rule: 'RichBlack.sum',
    breaks: doc(text(20, '0.66 0.65 0.65 0.85 k')),
    passes: doc(text(20, '0.65 0.65 0.65 0.85 k')),
  },
  { rule: 'RichBlack.sum', breaks: doc(line(1.9, '0.7 0.7 0.7 1 K')), passes: doc(line(2.1, '0.7 0.7 0.7 1 K')) },
  { rule: 'RichBlack.tooManyInks', breaks: doc(text(11.9, '0.3 0 0 1 k')), passes: doc(text(12, '0.3 0 0 1 k')) },
  { rule: 'RichBlack.tooManyInks', breaks: doc(text(10, '0.3 0 0 0.85 k')), passes: doc(text(10, '0.3 0 0 0.84 k')) },
  { rule: 'RichBlack.converted', breaks: doc(text(10, '0 0 0 rg')), passes: doc(text(10, '0.1 0 0 rg')) },
  { rule: 'RichBlack.registration', breaks: doc(text(10, '1 1 1 1 k')), passes: doc(text(10, '1 1 1 0.99 k')) },
  {
    rule: 'RichBlack.registration',
    breaks: doc('/All cs 1 scn 100 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f'),
  },
  {
    rule: 'RichBlack.flat',
    settings: { solidArea: { requireRichAbove: 5000 } },
    breaks: doc('0 0 0 1 k 100 100 51 100 re f'),
    passes: doc('0 0 0 1 k 100 100 49 100 re f'),
  },
  { rule: 'ThinLines.thin', breaks: doc(line(0.24)), passes: doc(line(0.25)) },
  {
    rule: 'ThinLines.thin',
    breaks: doc('0 0 0 1 k 100 100 200 0.2 re f'),
    passes: doc('0 0 0 1 k 100 100 200 0.3 re f'),
  },
  {
    rule: 'ThinLines.thin',
    breaks: doc(`q 0.1 0 0 0.1 100 100 cm ${line(2.4)} Q`),
    passes: doc(`q 10 0 0 10 0 0 cm 0.03 w 0 0 0 1 K 10 20 m 20 20 l S Q`),
  },
  { rule: 'ThinLines.white', breaks: doc(line(0.24, '0 0 0 0 K')), passes: doc(line(0.25, '0 0 0 0 K')) },
  {
    rule: 'ThinLines.multiInk',
    settings: { multiInkBelow: 1.5 },
    breaks: doc(line(1.4, '1 1 0 0 K')),
    passes: doc(line(1.4, '0 1 0 0 K')),
  },
  {
    rule: 'OverPrint.whiteText',
    breaks: doc(onCyan(`/Over gs ${text(20, '0 0 0 0 k')}`)),
    passes: doc(`/Over gs ${text(20, '0 0 0 0 k')}`),
  },
  {
    rule: 'OverPrint.whiteText',
    breaks: doc(onCyan(`/Over gs ${text(20, '0 0 0 0 k')}`)),
    passes: doc(onCyan(text(20, '0 0 0 0 k'))),
  },
  {
    rule: 'OverPrint.whitePath',
    breaks: doc(onCyan('/Over gs 0 0 0 0 k 100 200 20 20 re f')),
    passes: doc(onCyan('/Over gs 0 0 0 0 k 300 400 20 20 re f')),
  },
  {
    rule: 'OverPrint.blackText',
    breaks: doc(onCyan(text(11.9, '0 0 0 1 k'))),
    passes: doc(onCyan(text(12, '0 0 0 1 k'))),
  },
  {
    rule: 'OverPrint.blackText',
    breaks: doc(onCyan(text(10, '0 0 0 1 k'))),
    passes: doc(onCyan(`/Over gs ${text(10, '0 0 0 1 k')}`)),
  },
  {
    rule: 'OverPrint.blackText',
    breaks: doc(onCyan(text(10, '0 0 0 1 k'))),
    passes: doc(onCyan(`0 0 0 0 k 40 140 250 250 re f ${text(10, '0 0 0 1 k')}`)),
  },
  { rule: 'OverPrint.blackLine', breaks: doc(onCyan(line(1.9))), passes: doc(onCyan(line(2))) },
  {
    rule: 'OverPrint.blackLine',
    breaks: doc(onCyan(line(1))),
    passes: doc(`1 0 0 0 K 4 w 60 160 300 300 re S ${line(1)}`),
  },
  { rule: 'OverPrint.grayText', breaks: doc(onCyan(text(10, '0 g'))), passes: doc(onCyan(text(12, '0 g'))) },
  { rule: 'OverPrint.grayLine', breaks: doc(onCyan(line(1, '0 G'))), passes: doc(onCyan(line(2, '0 G'))) },
  {
    rule: 'OverPrint.grayOverprint',
    breaks: doc(onCyan(`/Over gs ${text(20, '0.5 g')}`)),
    passes: doc(onCyan(text(20, '0.5 g'))),
  },
  {
    rule: 'OverPrint.opmZero',
    breaks: doc(onCyan(`/Over0 gs ${text(20, '0 1 0 0 k')}`)),
    passes: doc(onCyan(`/Over gs ${text(20, '0 1 0 0 k')}`)),
  },
  {
    rule: 'OverPrint.any',
    severities: { any: 'Warn' },
    breaks: doc(onCyan(`/Over gs ${text(20, '0 1 0 0 k')}`)),
    passes: doc(onCyan(text(20, '0 1 0 0 k'))),
  },
  {
    rule: 'OverPrint.image',
    breaks: doc(onCyan(`/Over gs ${imageAt('Im', 30)}`)),
    passes: doc(onCyan(imageAt('Im', 30))),
  },
  {
    rule: 'OverPrint.withTransparency',
    breaks: doc(onCyan(`/Over gs /Half gs ${text(20, '0 1 0 0 k')}`)),
    passes: doc(onCyan(`/Over gs ${text(20, '0 1 0 0 k')}`)),
  },
  {
    rule: 'OverPrint.technicalKnocksOut',
    breaks: doc(onCyan('/Cut CS 1 SCN 1 w 100 200 m 150 250 l S')),
    passes: doc(onCyan('/Over gs /Cut CS 1 SCN 1 w 100 200 m 150 250 l S')),
  },
  {
    rule: 'SpotColors.notAllowed',
    settings: { policy: 'Disallow' },
    breaks: doc('/Gold cs 0.01 scn 100 100 50 50 re f'),
    passes: doc('/Gold cs 0 scn 100 100 50 50 re f'),
  },
  {
    rule: 'SpotColors.notAllowed',
    settings: { policy: 'AllowOnly', names: ['gol*'] },
    breaks: doc('/Silver cs 1 scn 100 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f'),
  },
  {
    rule: 'SpotColors.tooMany',
    settings: { maxCount: 1 },
    breaks: doc('/Gold cs 1 scn 100 100 50 50 re f /Silver cs 1 scn 200 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /Cut CS 1 SCN 200 100 50 50 re S'),
  },
  {
    rule: 'SpotColors.caseDuplicate',
    breaks: doc('/Gold cs 1 scn 100 100 50 50 re f /Gold2 cs 1 scn 200 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /Silver cs 1 scn 200 100 50 50 re f'),
  },
  {
    rule: 'SpotColors.suffixDuplicate',
    breaks: doc('/Gold cs 1 scn 100 100 50 50 re f /GoldC cs 1 scn 200 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /Silver cs 1 scn 200 100 50 50 re f'),
  },
  {
    rule: 'SpotColors.sameTint',
    breaks: doc('/Gold cs 1 scn 100 100 50 50 re f /Silver cs 1 scn 200 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /GoldC cs 1 scn 200 100 50 50 re f'),
  },
  {
    rule: 'SpotColors.registration',
    breaks: doc('/All CS 1 SCN 100 100 50 50 re S'),
    passes: doc('/All CS 1 SCN 5 0 m 5 8 l S'),
  },
  {
    rule: 'ColorSpaces.notAllowed',
    settings: { binding: 'Early' },
    breaks: doc('1 0 0 rg 100 100 50 50 re f'),
    passes: doc('1 0 0 0 k 100 100 50 50 re f'),
  },
  {
    rule: 'ColorSpaces.untaggedRgb',
    breaks: doc('1 0 0 rg 100 100 50 50 re f'),
    passes: doc('/Lab cs 50 0 0 scn 100 100 50 50 re f'),
  },
  {
    rule: 'ColorSpaces.lab',
    breaks: doc('/Lab cs 50 0 0 scn 100 100 50 50 re f'),
    passes: doc('1 0 0 rg 100 100 50 50 re f'),
  },
  {
    rule: 'Transparency.notAllowed',
    settings: { policy: 'Disallow' },
    breaks: doc('/Half gs 0 g 100 100 50 50 re f'),
    passes: doc('0 g 100 100 50 50 re f'),
  },
  {
    rule: 'Transparency.notAllowed',
    settings: { policy: 'Disallow' },
    breaks: doc('/Mult gs 0 g 100 100 50 50 re f'),
    passes: doc('/Mult gs'),
  },
  {
    rule: 'HiddenObjects.obscured',
    breaks: doc(`${text(12, '0 g')} 0.5 g 50 150 200 100 re f`),
    passes: doc(`${text(12, '0 g')} /Half gs 0.5 g 50 150 200 100 re f`),
  },
  {
    rule: 'ProcessingSteps.filled',
    breaks: doc('/Over gs /Cut cs 1 scn 100 100 50 50 re f'),
    passes: doc('/Over gs /Cut CS 1 SCN 100 100 50 50 re S'),
  },
  {
    rule: 'ProcessingSteps.knocksOut',
    breaks: doc('/Cut CS 1 SCN 100 100 50 50 re S'),
    passes: doc('/Over gs /Cut CS 1 SCN 100 100 50 50 re S'),
  },
];

export const objectCases: readonly RuleCase[] = cases.map((each) => ({ ...each, kind: object }));
