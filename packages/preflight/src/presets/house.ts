import { mm } from '@pdf2press/settings';
import { gwg2022Presets } from './gwg2022.ts';
import { definePreset, type Preset } from './preset.ts';

/** One value for all four edges. */
const allSides = (value: number) => ({ left: value, right: value, top: value, bottom: value });
const limits = (fail: number, warn: number) => ({ failBelow: fail, warnBelow: warn });

const house = (key: string, name: string, profile: Parameters<typeof definePreset>[0]['profile']): Preset =>
  definePreset({ key, version: 1, group: 'house', name, profile });

/** General checks for jobs of any kind; the default of new profiles. */
const standard = house('standard', 'Standard', {
  boxPolicy: { onMissingTrim: 'Info' },
  checks: [
    { key: 'DocumentIntegrity' },
    { key: 'FileSize' },
    { key: 'PageCount' },
    { key: 'PageDimentions' },
    { key: 'Fonts' },
    { key: 'ImageResolution' },
    { key: 'EmptyPages', severities: { empty: 'Warn' } },
    { key: 'Bleed' },
    { key: 'SpotColors' },
    { key: 'RichBlack' },
    { key: 'OverPrint' },
    { key: 'SafetyDistance', severities: { nearEdge: 'Warn', crossesEdge: 'Warn', nearDieLine: 'Warn' } },
    { key: 'TotalInkCoverage', settings: { cmyk: { warnAbove: 320, failAbove: null } } },
    { key: 'ThinLines' },
  ],
});

/** The checks that need no plates and take only seconds. */
const basic = house('basic', 'Basic', {
  boxPolicy: { onMissingTrim: 'Info' },
  checks: [
    { key: 'DocumentIntegrity' },
    { key: 'FileSize' },
    { key: 'PageCount' },
    { key: 'PageDimentions' },
    { key: 'Fonts' },
    { key: 'ImageResolution' },
  ],
});

const office = house('office-quick-print', 'Office and quick print', {
  boxPolicy: { onMissingTrim: 'Off' },
  checks: [
    { key: 'DocumentIntegrity', settings: { damaged: 'WarnIfRepaired' } },
    { key: 'ImageResolution', settings: { colourGray: { ...limits(95, 149), infoAbove: null } } },
    { key: 'Fonts' },
    { key: 'Bleed', severities: { short: 'Warn', boxOnly: 'Off', boxLies: 'Warn', notNeeded: 'Off' } },
  ],
});

const flyer = house('business-card-flyer', 'Business card or flyer', {
  checks: [
    { key: 'DocumentIntegrity' },
    { key: 'PageCount', settings: { min: 1, max: 2 } },
    // The size of the order can be set by variables; without them all pages must have the same size.
    { key: 'PageDimentions', settings: { mode: 'AllSame', tolerance: mm(0.5) } },
    { key: 'Fonts' },
    { key: 'ImageResolution', settings: { colourGray: { ...limits(149, 299), infoAbove: 600 } } },
    { key: 'Bleed', settings: { required: allSides(mm(3)), failBelow: mm(1.5) } },
    { key: 'SafetyDistance', settings: { warnWithin: allSides(mm(3)), failWithin: allSides(mm(1)) } },
    { key: 'TotalInkCoverage', settings: { cmyk: { warnAbove: 300, failAbove: null } } },
    { key: 'RichBlack' },
    { key: 'OverPrint' },
  ],
});

const booklet = house('saddle-stitched-booklet', 'Saddle-stitched booklet', {
  checks: [
    { key: 'DocumentIntegrity' },
    { key: 'MultiplePages', settings: { mode: 'MultipleOf', n: 4, padAllowed: true } },
    { key: 'PageDimentions', settings: { mode: 'AllSame' } },
    { key: 'PageOrientation', settings: { required: 'AllSame' } },
    { key: 'EmptyPages', settings: { position: 'SecondAndNextToLast' } },
    { key: 'Fonts' },
    { key: 'ImageResolution' },
    { key: 'Bleed', settings: { innerEdge: 'NotRequired' } },
    { key: 'SafetyDistance', settings: { innerEdge: { warnWithin: mm(5), failWithin: mm(2) } } },
    { key: 'TotalInkCoverage' },
    { key: 'RichBlack' },
    { key: 'OverPrint' },
  ],
});

const cover = house('perfect-bound-cover', 'Perfect-bound cover', {
  // Workflow variables: width and height of the trimmed book, and spine. Without them any size passes.
  variables: { 'PageDimentions.width': '2 * width + spine', 'PageDimentions.height': 'height' },
  checks: [
    { key: 'DocumentIntegrity' },
    { key: 'PageDimentions', settings: { mode: 'Exact', orientationInsensitive: false } },
    { key: 'Fonts' },
    { key: 'ImageResolution' },
    { key: 'Bleed', settings: { required: allSides(mm(5)) } },
    { key: 'SafetyDistance', settings: { warnWithin: allSides(mm(3)), failWithin: allSides(mm(1.5)) } },
    { key: 'TotalInkCoverage' },
    { key: 'RichBlack' },
    { key: 'OverPrint' },
  ],
});

const gwgProfile = (key: string): Preset['profile'] => {
  const preset = gwg2022Presets.find((each) => each.key === key);
  if (!preset) throw new Error(key);
  return preset.profile;
};

const largeFormatBase = gwgProfile('gwg2022-large-format-print');
const largeFormat = house('large-format', 'Large format', {
  scaleFactor: largeFormatBase.scaleFactor,
  viewingDistanceM: largeFormatBase.viewingDistanceM,
  checks: [
    ...largeFormatBase.checks.filter(({ key }) => key !== 'PdfX' && key !== 'ColorSpaces'),
    { key: 'Bleed', settings: { required: allSides(mm(10)) } },
    { key: 'SafetyDistance', settings: { warnWithin: allSides(mm(25)), failWithin: allSides(mm(5)) } },
  ],
});

const label = house('label-die-cut', 'Label or die-cut', {
  checks: [
    { key: 'DocumentIntegrity' },
    { key: 'Fonts' },
    { key: 'ImageResolution' },
    {
      key: 'ProcessingSteps',
      settings: { requiredSpots: ['CutContour', 'Thru-cut', 'Kiss-cut', 'Cut', 'Dieline', 'Die*line'] },
    },
    { key: 'SafetyDistance', settings: { dieLines: { warnWithin: mm(2), failWithin: mm(1) } } },
    { key: 'Bleed', settings: { required: allSides(mm(2)) } },
    { key: 'SpotColors' },
    { key: 'OverPrint' },
    { key: 'TotalInkCoverage', settings: { allInks: { warnAbove: 320, failAbove: null } } },
  ],
});

const newspaper = house('newspaper-ad', 'Newspaper ad', {
  checks: gwgProfile('gwg2022-newspaper-ads-cmyk').checks,
});

export const housePresets: readonly Preset[] = [
  standard,
  basic,
  office,
  flyer,
  booklet,
  cover,
  largeFormat,
  label,
  newspaper,
];
