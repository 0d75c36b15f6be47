/** The variants of GWG 2022 as profiles, from the table of limits. */

import { pdfx } from '../checks/pdfx/contract.ts';
import type { PreflightProfileInput, ProfileCheck } from '../profile/profile.ts';
import { type GwgVariant, gwg2022Variants, type Level } from './gwg2022-limits.ts';
import { definePreset, type Preset } from './preset.ts';

const severity = (level: Level) => (({ E: 'Fail', W: 'Warn', '': 'Off' }) as const)[level];
const warnIf = (isOn: boolean) => (isOn ? 'Warn' : 'Off');
/** Name of a rule in findings, from its number in GWG 2022. */
type RuleName = (rule: string) => string;
const gwg2022: RuleName = (rule) => `GWG2022:${rule}`;

const bindingRules = { Early: 'R0027', Intermediate: 'R0028', Late: 'R0029' } as const;
const stepRules: Readonly<Record<string, string>> = { 'Structural/Cutting': 'R1001', 'Structural/*Creasing': 'R1002' };

type CheckInput = NonNullable<PreflightProfileInput['checks']>[number];
/** A check before its defaults are filled in. The cast is safe: definePreset validates it by its schema. */
const check = <K extends ProfileCheck['key']>(key: K, rest: object): CheckInput =>
  ({ key, ...rest }) as unknown as CheckInput;

/** The checks of a variant. */
export function checksOf(variant: GwgVariant, gwg: RuleName): CheckInput[] {
  return [
    check('DocumentIntegrity', {
      severities: {
        syntaxMinor: 'Off',
        annotationsInPrintArea: 'Off',
        formFieldsInPrintArea: 'Off',
        actions: 'Off',
        javascript: 'Off',
        embeddedFiles: 'Off',
      },
    }),
    check('PdfX', {
      settings: { level: 'PDF/X-4' },
      standardRules: Object.fromEntries(Object.keys(pdfx.rules).map((rule) => [rule, gwg('R0001')])),
    }),
    ...pageChecks(variant, gwg),
    ...objectChecks(variant, gwg),
    ...colourChecks(variant, gwg),
    ...variant.processingSteps.map((step) =>
      check('ProcessingSteps', {
        settings: { required: [step] },
        severities: { notAllowed: 'Off', spotMissing: 'Off', filled: 'Off', knocksOut: 'Off' },
        standardRules: { missing: gwg(stepRules[step] ?? 'R1001') },
      }),
    ),
  ];
}

function pageChecks(variant: GwgVariant, gwg: RuleName): CheckInput[] {
  const sameSize = severity(variant.sameSize);
  return [
    check('PageDimentions', {
      settings: { mode: 'AllSame' },
      severities: { userUnit: severity(variant.userUnit), cropNotMedia: 'Fail', differs: sameSize },
      standardRules: { userUnit: gwg('R0002'), cropNotMedia: gwg('R0003'), differs: gwg('R0004') },
    }),
    ...(variant.sameSize
      ? [
          check('PageOrientation', {
            severities: { wrong: 'Off', differs: 'Off', readingOrientation: 'Off', forbidRotateKey: sameSize },
            standardRules: { forbidRotateKey: gwg('R0004') },
          }),
        ]
      : []),
    ...(variant.emptyPage
      ? [
          check('EmptyPages', {
            settings: { inkThreshold: 0 },
            severities: { empty: severity(variant.emptyPage), nearEmpty: 'Off' },
            standardRules: { empty: gwg('R0005') },
          }),
        ]
      : []),
    ...(variant.onePage
      ? [
          check('MultiplePages', {
            settings: { mode: 'SinglePageOnly' },
            severities: { notSingle: severity(variant.onePage) },
            standardRules: { notSingle: gwg('R0006') },
          }),
        ]
      : []),
  ];
}

function objectChecks(variant: GwgVariant, gwg: RuleName): CheckInput[] {
  const [failBelow, warnBelow] = variant.ppi;
  const [oneBitFail, oneBitWarn] = variant.oneBitPpi;
  const single = variant.singleImagePpi;
  return [
    check('ImageResolution', {
      settings: {
        colourGray: { failBelow, warnBelow, infoAbove: null },
        oneBit: { failBelow: oneBitFail, warnBelow: oneBitWarn, infoAbove: null },
        singleImagePage: { failBelow: single?.[0] ?? null, warnBelow: single?.[1] ?? null },
      },
      standardRules: { low: gwg('R0031'), lowOneBit: gwg('R0032'), singleImagePage: gwg('R0033') },
    }),
    check('Fonts', {
      settings: { minSizeWhite: variant.whiteText, minSizeMultiInk: variant.multiInkText },
      severities: { notEmbedded: 'Off', type3: 'Off', courierSubstitution: warnIf(variant.courier) },
      standardRules: {
        courierSubstitution: gwg('R0014'),
        smallWhite: gwg('R0016'),
        smallMultiInk: gwg('R0017'),
        notdefGlyph: gwg('R0001'),
        invalidFont: gwg('R0001'),
      },
    }),
    check('ThinLines', {
      settings: {
        failBelow: null,
        warnBelow: null,
        whiteBelow: variant.whiteLine,
        multiInkBelow: variant.multiInkLine,
      },
      standardRules: { white: gwg('R0018'), multiInk: gwg('R0019') },
    }),
    check('Transparency', { severities: { noPageGroup: 'Off' }, standardRules: { blendSpace: gwg('R0030') } }),
    check('Layers', {
      severities: {
        configs: severity(variant.layerConfigs),
        hidden: variant.largeFormat ? 'Fail' : 'Off',
        viewNotPrint: 'Off',
      },
      standardRules: { configs: gwg('R0034'), hidden: gwg('R0036') },
    }),
  ];
}

function colourChecks(variant: GwgVariant, gwg: RuleName): CheckInput[] {
  const { tac } = variant;
  return [
    check('OverPrint', {
      severities: {
        whiteTextOverprint: 'Fail',
        whitePathOverprint: severity(variant.whitePath),
        blackTextNotOverprint: warnIf(variant.blackText),
        blackLineNotOverprint: warnIf(variant.blackLine),
        grayText: warnIf(variant.blackText),
        grayLine: warnIf(variant.blackLine),
        grayOverprint: warnIf(variant.grayOverprint),
        opmZeroOnCMYK: 'Off',
        imageOverprint: 'Off',
        overprintWithTransparency: 'Off',
        technicalKnocksOut: 'Off',
      },
      standardRules: {
        whiteTextOverprint: gwg('R0007'),
        whitePathOverprint: gwg('R0008'),
        blackTextNotOverprint: gwg('R0009'),
        blackLineNotOverprint: gwg('R0010'),
        grayText: gwg('R0011'),
        grayLine: gwg('R0012'),
        grayOverprint: gwg('R0013'),
      },
    }),
    ...(variant.richBlackSum === null
      ? []
      : [
          check('RichBlack', {
            settings: { text: { minK: 85, maxSum: variant.richBlackSum, maxInksBelowSize: { size: null } } },
            severities: { tooManyInks: 'Off', rgbBlack: 'Off', registrationBlack: 'Off', flat: 'Off' },
            standardRules: { sum: gwg('R0015') },
          }),
        ]),
    check('SpotColors', {
      settings: { maxCount: variant.noSpots ? (variant.spotsAllowed ?? 0) : null, ignoreNames: [] },
      severities: {
        tooMany: severity(variant.noSpots),
        suffixDuplicate: warnIf(variant.spotNames),
        caseDuplicate: variant.spotNames ? severity(variant.sameNames ?? 'E') : 'Off',
        sameTint: variant.spotNames ? 'Fail' : 'Off',
        twoTints: 'Off',
        likeProcess: 'Off',
        registrationInArtwork: warnIf(variant.registration),
      },
      standardRules: {
        tooMany: gwg('R0020'),
        suffixDuplicate: gwg('R0021'),
        caseDuplicate: gwg('R0022'),
        sameTint: gwg('R0023'),
        registrationInArtwork: gwg('R0024'),
      },
    }),
    ...(tac
      ? [
          check('TotalInkCoverage', {
            settings: {
              cmyk: { warnAbove: tac.inks === 'cmyk' ? tac.percent : null },
              allInks: { warnAbove: tac.inks === 'all' ? tac.percent : null },
            },
            standardRules: { allInks: gwg('R0025'), cmyk: gwg('R0026') },
          }),
        ]
      : []),
    check('ColorSpaces', {
      settings: { binding: variant.binding },
      severities: { untaggedRgb: 'Off', iccCmyk: 'Off', lab: 'Off' },
      standardRules: { notAllowed: gwg(bindingRules[variant.binding]) },
    }),
    check('OutputIntent', {
      severities: { missing: 'Off', noProfile: 'Off', several: 'Off', brokenProfile: 'Off' },
      standardRules: { notCmyk: gwg('R0035') },
    }),
  ];
}

export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

export const gwg2022Presets: readonly Preset[] = gwg2022Variants.map((variant) =>
  definePreset({
    key: `gwg2022-${slug(variant.name)}`,
    version: 1,
    group: 'GWG2022',
    name: `GWG 2022 ${variant.name}`,
    profile: {
      boxPolicy: { onMissingTrim: 'Off' },
      // GWG 2022 R0037: scale and viewing distance are set per job; the preset has 1:1 and one metre.
      ...(variant.largeFormat && { scaleFactor: 1, viewingDistanceM: 1 }),
      checks: checksOf(variant, gwg2022),
    },
  }),
);
