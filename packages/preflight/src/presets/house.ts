import { mm } from '@pdf2press/settings';
import type { ColourFamily } from '../reading/colour-families.ts';
import { gwg2022Presets } from './gwg2022.ts';
import { gwg2022Variants } from './gwg2022-limits.ts';
import { definePreset, type Preset } from './preset.ts';

type ProfileInput = Parameters<typeof definePreset>[0]['profile'];
type CheckInput = NonNullable<ProfileInput['checks']>[number];

/** One value for all four edges. */
const allSides = (value: number) => ({ left: value, right: value, top: value, bottom: value });
const limits = (fail: number, warn: number) => ({ failBelow: fail, warnBelow: warn });

/**
 * Total ink in squares of 5 mm, which smear as well as GWG's of 15 mm: in those, 400 % on 10 × 10 mm are averaged away.
 */
const inkWithin = (
  settings: Partial<Record<'cmyk' | 'allInks', { warnAbove: number; failAbove: null }>>,
): CheckInput => ({
  key: 'TotalInkCoverage',
  settings: { ...settings, windowSide: mm(5) },
});

const house = (key: string, version: number, name: string, profile: ProfileInput): Preset =>
  definePreset({ key, version, group: 'house', name, profile });

/** What reaches the plates of a press without being converted from RGB or Lab. */
const pressFamilies: ColourFamily[] = [
  'DeviceGray',
  'DeviceCMYK',
  'CalGray',
  'ICCGray',
  'ICCCMYK',
  'Separation',
  'DeviceN',
];

const sheetVariant = gwg2022Variants.find(({ name }) => name === 'SheetCMYK CMYK');
if (!sheetVariant) throw new Error('SheetCMYK CMYK');

/** Boxes that contradict each other (ISO 15930-7, 6.11). Missing ones are told once, by the box policy or the bleed. */
const boxes: CheckInput = {
  key: 'PageBoxes',
  severities: { trimMissing: 'Off', bleedMissing: 'Off', cropNotMedia: 'Off' },
};

/** RGB and Lab are converted at the printer, so the colour on paper is not the one on the customer's screen. */
const pressColours: CheckInput = {
  key: 'ColorSpaces',
  settings: { text: pressFamilies, vector: pressFamilies, image: pressFamilies },
  severities: { notAllowed: 'Warn' },
};

/**
 * The order is for four colours: a spot colour is a fifth plate that nobody ordered. A cut line or a varnish is one as well:
 * whoever draws it wants another product.
 */
const spotsAre = (notAllowed: 'Info' | 'Warn'): CheckInput => ({
  key: 'SpotColors',
  settings: { policy: 'Disallow', ignoreNames: [] },
  severities: { notAllowed },
});

/** Without an output intent nobody knows for which press the colours were made; with a wrong one they are wrong. */
const intent: CheckInput = { key: 'OutputIntent', severities: { missing: 'Info' } };

/**
 * Sizes of text that hold in sheetfed offset: in white and in more than one ink as GWG 2022 (R0016, R0017); below 5 pt it is
 * hard to read in any colour.
 */
const text: CheckInput = {
  key: 'Fonts',
  settings: {
    minSize: { warnBelow: 5 },
    minSizeWhite: sheetVariant.whiteText,
    minSizeMultiInk: sheetVariant.multiInkText,
  },
};

/**
 * Pictures that lost too much to compression. The pixels are looked at only where there are few and all are pictures: it
 * takes as long as to draw them.
 */
const compression = (findBlocking: boolean): CheckInput => ({ key: 'JpegQuality', settings: { findBlocking } });

/** What every job for a press needs, whatever the product is. */
const press: readonly CheckInput[] = [
  { key: 'DocumentIntegrity' },
  boxes,
  pressColours,
  intent,
  text,
  { key: 'ThinLines' },
  { key: 'RichBlack' },
  { key: 'OverPrint' },
  compression(false),
  { key: 'PathNodes' },
  { key: 'GradientSteps' },
];

/** General checks for jobs of any kind; the default of new profiles. */
const standard = house('standard', 4, 'Standard', {
  boxPolicy: { onMissingTrim: 'Info' },
  checks: [
    { key: 'DocumentIntegrity' },
    { key: 'FileSize' },
    { key: 'PageCount' },
    { key: 'PageDimentions' },
    boxes,
    pressColours,
    { key: 'Fonts' },
    { key: 'ImageResolution' },
    { key: 'EmptyPages', severities: { empty: 'Warn' } },
    { key: 'Bleed' },
    { key: 'SpotColors' },
    { key: 'RichBlack' },
    { key: 'OverPrint' },
    { key: 'SafetyDistance', severities: { nearEdge: 'Warn', crossesEdge: 'Warn', nearDieLine: 'Warn' } },
    inkWithin({ cmyk: { warnAbove: 320, failAbove: null } }),
    { key: 'ThinLines' },
    compression(false),
  ],
});

/** The checks that need no plates and take only seconds. */
const basic = house('basic', 2, 'Basic', {
  boxPolicy: { onMissingTrim: 'Info' },
  checks: [
    { key: 'DocumentIntegrity' },
    { key: 'FileSize' },
    { key: 'PageCount' },
    { key: 'PageDimentions' },
    boxes,
    { key: 'Fonts' },
    { key: 'ImageResolution' },
  ],
});

/** A digital press converts RGB itself, and an office file has no spot colour that counts. */
const office = house('office-quick-print', 2, 'Office and quick print', {
  boxPolicy: { onMissingTrim: 'Off' },
  checks: [
    { key: 'DocumentIntegrity', settings: { damaged: 'WarnIfRepaired' } },
    boxes,
    { key: 'ImageResolution', settings: { colourGray: { ...limits(95, 149), infoAbove: null } } },
    { key: 'Fonts' },
    { key: 'Bleed', severities: { short: 'Warn', boxOnly: 'Off', boxLies: 'Warn', notNeeded: 'Off' } },
  ],
});

const flyer = house('business-card-flyer', 4, 'Business card or flyer', {
  checks: [
    ...press,
    spotsAre('Warn'),
    { key: 'PageCount', settings: { min: 1, max: 2 } },
    // The size of the order can be set by variables; without them all pages must have the same size.
    { key: 'PageDimentions', settings: { mode: 'AllSame', tolerance: mm(0.5) } },
    { key: 'ImageResolution', settings: { colourGray: { ...limits(149, 299), infoAbove: 600 } } },
    { key: 'Bleed', settings: { required: allSides(mm(3)), failBelow: mm(1.5) } },
    { key: 'SafetyDistance', settings: { warnWithin: allSides(mm(3)), failWithin: allSides(mm(1)) } },
    inkWithin({ cmyk: { warnAbove: 300, failAbove: null } }),
  ],
});

const booklet = house('saddle-stitched-booklet', 4, 'Saddle-stitched booklet', {
  checks: [
    ...press,
    spotsAre('Warn'),
    { key: 'MultiplePages', settings: { mode: 'MultipleOf', n: 4, padAllowed: true } },
    { key: 'PageDimentions', settings: { mode: 'AllSame' } },
    { key: 'PageOrientation', settings: { required: 'AllSame' } },
    { key: 'EmptyPages', settings: { position: 'SecondAndNextToLast' } },
    { key: 'ImageResolution' },
    { key: 'Bleed', settings: { innerEdge: 'NotRequired' } },
    { key: 'SafetyDistance', settings: { innerEdge: { warnWithin: mm(5), failWithin: mm(2) } } },
    inkWithin({}),
  ],
});

const cover = house('perfect-bound-cover', 5, 'Perfect-bound cover', {
  // Workflow variables: width and height of the trimmed book, and spine. Without them any size passes.
  variables: { 'PageDimentions.width': '2 * width + spine', 'PageDimentions.height': 'height' },
  checks: [
    ...press,
    spotsAre('Info'),
    { key: 'PageDimentions', settings: { mode: 'Exact', orientationInsensitive: false } },
    { key: 'ImageResolution' },
    { key: 'Bleed', settings: { required: allSides(mm(5)) } },
    { key: 'SafetyDistance', settings: { warnWithin: allSides(mm(3)), failWithin: allSides(mm(1.5)) } },
    // The ISBN on the back is scanned in every shop.
    { key: 'Barcodes' },
    inkWithin({}),
  ],
});

/** Pages of a book that is milled and glued: the inner edge needs no bleed, but 10 mm of it vanish in the gutter. */
const interior = house('book-interior', 4, 'Book interior', {
  checks: [
    ...press,
    spotsAre('Warn'),
    { key: 'MultiplePages', settings: { mode: 'MultipleOf', n: 2, padAllowed: true } },
    { key: 'PageDimentions', settings: { mode: 'AllSame' } },
    { key: 'PageOrientation', settings: { required: 'AllSame' } },
    // Blank pages belong to a book; they are told, so that a forgotten one is seen.
    { key: 'EmptyPages', severities: { empty: 'Info', consecutive: 'Warn' }, settings: { maxConsecutive: 2 } },
    { key: 'ImageResolution' },
    { key: 'Bleed', settings: { innerEdge: 'NotRequired' } },
    { key: 'SafetyDistance', settings: { innerEdge: { warnWithin: mm(10), failWithin: mm(5) } } },
    // Old books are scanned anew; text in a single picture is mostly a figure.
    { key: 'TextInPictures', severities: { text: 'Off' } },
    // Uncoated book paper takes less ink than coated (PSO Uncoated v3: 300 %).
    inkWithin({ cmyk: { warnAbove: 300, failAbove: null } }),
  ],
});

const gwgProfile = (key: string): Preset['profile'] => {
  const preset = gwg2022Presets.find((each) => each.key === key);
  if (!preset) throw new Error(key);
  return preset.profile;
};

const largeFormatBase = gwgProfile('gwg2022-large-format-print');
// Inkjet presses have more than four inks, so RGB is welcome there; what they cannot do without is resolution and bleed.
const largeFormat = house('large-format', 4, 'Large format', {
  scaleFactor: largeFormatBase.scaleFactor,
  viewingDistanceM: largeFormatBase.viewingDistanceM,
  checks: [
    ...largeFormatBase.checks.filter(({ key }) => !['PdfX', 'ColorSpaces', 'DocumentIntegrity'].includes(key)),
    // What PDF/X forbids of form fields and annotations must be told without it.
    { key: 'DocumentIntegrity' },
    { key: 'PathNodes' },
    boxes,
    { key: 'Bleed', settings: { required: allSides(mm(10)) } },
    { key: 'SafetyDistance', settings: { warnWithin: allSides(mm(25)), failWithin: allSides(mm(5)) } },
  ],
});

const cutNames = ['CutContour', 'Thru-cut', 'Kiss-cut', 'Cut', 'Dieline', 'Die*line'];

const label = house('label-die-cut', 5, 'Label or die-cut', {
  checks: [
    ...press,
    { key: 'ImageResolution' },
    {
      key: 'ProcessingSteps',
      settings: { requiredSpots: cutNames },
    },
    { key: 'SafetyDistance', settings: { dieLines: { warnWithin: mm(2), failWithin: mm(1) } } },
    { key: 'Bleed', settings: { required: allSides(mm(2)) } },
    { key: 'Barcodes' },
    { key: 'SpotColors' },
    inkWithin({ allInks: { warnAbove: 320, failAbove: null } }),
  ],
});

/** Printed on a roll by inkjet and cut along a line of its own colour. RGB is converted by the printer's software. */
const sticker = house('sticker-plot', 1, 'Sticker or plot', {
  boxPolicy: { onMissingTrim: 'Off' },
  checks: [
    { key: 'DocumentIntegrity' },
    boxes,
    { key: 'Fonts', settings: { minSize: { warnBelow: 6 } } },
    { key: 'ImageResolution', settings: { colourGray: { ...limits(99, 149), infoAbove: 450 } } },
    { key: 'ProcessingSteps', settings: { requiredSpots: cutNames } },
    { key: 'SafetyDistance', settings: { dieLines: { warnWithin: mm(2), failWithin: mm(1) } } },
    { key: 'SpotColors' },
    { key: 'PathNodes' },
    // A plotter's knife follows lines of 0.25 pt; thinner printed ones break.
    { key: 'ThinLines', settings: { failBelow: 0.25, warnBelow: 0.5 } },
  ],
});

/** Sewn or hemmed: 20 mm around are turned in, and the weave shows nothing finer than about 75 ppi. */
const textile = house('textile', 1, 'Textile', {
  boxPolicy: { onMissingTrim: 'Off' },
  checks: [
    { key: 'DocumentIntegrity' },
    boxes,
    { key: 'MultiplePages', settings: { mode: 'SinglePageOnly' }, severities: { notSingle: 'Warn' } },
    { key: 'Fonts', settings: { minSize: { warnBelow: 14 } } },
    { key: 'ImageResolution', settings: { colourGray: { ...limits(60, 100), infoAbove: 300 } } },
    { key: 'Bleed', settings: { required: allSides(mm(20)) }, severities: { boxOnly: 'Off', notNeeded: 'Off' } },
    { key: 'SafetyDistance', settings: { warnWithin: allSides(mm(30)), failWithin: allSides(mm(10)) } },
    { key: 'ThinLines', settings: { failBelow: 0.5, warnBelow: 1 } },
  ],
});

/** Photo books, calendars, cards: RGB pictures are right here, and a soft one is what customers complain of. */
const photo = house('photo-product', 3, 'Photo product', {
  boxPolicy: { onMissingTrim: 'Off' },
  checks: [
    { key: 'DocumentIntegrity', settings: { damaged: 'WarnIfRepaired' } },
    boxes,
    { key: 'PageDimentions', settings: { mode: 'AllSame' } },
    { key: 'Fonts' },
    {
      key: 'ImageResolution',
      settings: { colourGray: { ...limits(149, 224), infoAbove: 600 }, singleImagePage: limits(149, 224) },
    },
    compression(true),
    { key: 'EmptyPages', severities: { empty: 'Warn' } },
    { key: 'Bleed', severities: { short: 'Warn', boxOnly: 'Off', boxLies: 'Warn', notNeeded: 'Off' } },
    { key: 'SafetyDistance', severities: { nearEdge: 'Warn', crossesEdge: 'Warn', nearDieLine: 'Off' } },
    spotsAre('Info'),
  ],
});

const newspaper = house('newspaper-ad', 2, 'Newspaper ad', {
  checks: [...gwgProfile('gwg2022-newspaper-ads-cmyk').checks, boxes],
});

export const housePresets: readonly Preset[] = [
  standard,
  basic,
  office,
  flyer,
  booklet,
  cover,
  interior,
  largeFormat,
  label,
  sticker,
  textile,
  photo,
  newspaper,
];
