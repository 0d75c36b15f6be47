import {
  baseSpace,
  type ColorSpace,
  dictOf,
  type Font,
  isArray,
  isDict,
  isName,
  nameOf,
  type PdfDict,
  type PdfFile,
  type Run,
  resourcesBelow,
} from '@pdf2press/pdf';
import { colourFamily } from '../../reading/colour-family.ts';
import { overprints, partsOf, spaceOf } from '../../reading/parts.ts';
import { featuresOf, hasPlainHalftone, type RestrictedFeature } from '../../reading/restricted.ts';
import type { PageObject } from '../../reading/scene.ts';
import { spacesOf } from '../../reading/spots.ts';
import { groupTransparency, objectTransparency } from '../../reading/transparency.ts';
import type { RuleOf } from '../contracts.ts';
import { checkRunner, type FixHint, type PageContext, type Report } from '../runner.ts';
import { judgeAnnotations } from './annotations.ts';
import type { PdfaLevel } from './contract.ts';
import { documentBreaches } from './document-rules.ts';
import { mappingFault } from './fonts.ts';
import { outputSpace } from './output-space.ts';
import { createSpotJudge } from './spots.ts';

type Key = 'PdfA';
type Rule = RuleOf<Key>;
type Tell = (found: Report<Rule>) => void;

const isoParts: Readonly<Record<PdfaLevel, { standard: string; iso: string }>> = {
  'PDF/A-2b': { standard: 'PDFA2', iso: 'ISO 19005-2:2011' },
  'PDF/A-3b': { standard: 'PDFA3', iso: 'ISO 19005-3:2012' },
};

/** What every finding says of the standard. */
const about = (level: PdfaLevel, rule: Rule) => {
  const { standard, iso } = isoParts[level];
  return { standardRule: `${standard}:${rule}`, named: { standard: `${level} (${iso})` } };
};

/** Units of default user space that a side of a page may have (ISO 19005-2, 6.1.13). */
const pageSides = { min: 3, max: 14_400 };

export const pdfaRunner = checkRunner<Key>()<undefined>({
  page(context) {
    const { file, settings } = context;
    const space = outputSpace(file);
    const seen = new Set<unknown>();
    const spotFaults = createSpotJudge(file);
    let isTransparent = false;
    let pageSpace: ColorSpace | null = null;
    const tell: Tell = (found) => {
      const { standardRule, named } = about(settings.level, found.rule);
      context.report({ standardRule, ...found, params: { ...named, ...found.params } });
    };
    /** Findings of which one on each page says all. */
    const once: Once = (what, find) => {
      if (seen.has(what)) return;
      seen.add(what);
      const found = find();
      if (found) tell({ acrossPages: true, ...found });
    };
    return {
      object(object) {
        pageSpace ??= pageGroupOf(object.event.place.run)?.space ?? null;
        isTransparent ||= objectTransparency(object) !== null;
        judgeText(file, object, once);
        judgeColour(file, object, space, once);
        for (const { name, reason } of spotFaults(object))
          once(`spot ${name}`, () => ({ rule: 'spotColour', object, resourceName: name, params: { name, reason } }));
        judgeState(file, object, once);
      },
      runBegin(event) {
        const { run } = event;
        pageSpace ??= pageGroupOf(run)?.space ?? null;
        isTransparent ||= groupTransparency(event) !== null;
        if (run.kind !== 'page' && run.group?.space) judgeBlending(run.group.space, space, once);
      },
      syntax(event) {
        if (event.code === 'operator.unknown')
          once('operator', () => ({ rule: 'operator', objectType: 'page', params: { ...event.params } }));
      },
      end() {
        if (isTransparent && pageSpace) judgeBlending(pageSpace, space, once);
        // Without an output intent nothing else says in which space the page is blended (ISO 19005-2, 6.2.10).
        if (isTransparent && !pageSpace && space === null)
          once('blending', () => ({ rule: 'blendSpace', objectType: 'page', params: { family: 'missing' } }));
        judgeSize(context, tell);
        judgeForms(context, once);
        judgeStates(context, once);
        judgeAnnotations(context, tell);
        return undefined;
      },
    };
  },
  document({ file, settings, report }) {
    for (const { rule, params } of documentBreaches(file, settings)) {
      const { standardRule, named } = about(settings.level, rule);
      report({
        rule,
        standardRule,
        objectType: 'document',
        params: { ...named, ...params },
        fixableBy: fixes[rule] ?? null,
      });
    }
    return { level: settings.level };
  },
});

function judgeSize({ page }: PageContext<Key>, tell: Tell): void {
  const sides = Object.values(page.boxes).flatMap((box) =>
    box ? [Math.abs(box[2] - box[0]), Math.abs(box[3] - box[1])] : [],
  );
  if (sides.some((side) => side < pageSides.min || side > pageSides.max))
    tell({ rule: 'pageSize', objectType: 'page', params: { ...pageSides } });
}

/** What removes a finding without making another standard of the file. */
const fixes: { readonly [R in Rule]?: FixHint } = {
  encrypted: { action: 'Repair', params: {} },
  damaged: { action: 'Repair', params: {} },
};

type Once = (what: unknown, find: () => Report<Rule> | null) => void;

/** The transparency group of the page that a run belongs to. */
const pageGroupOf = (run: Run): Run['group'] => (run.parent ? pageGroupOf(run.parent) : run.group);

function judgeText(file: PdfFile, object: PageObject, once: Once): void {
  const font: Font | null = object.type === 'text' ? object.event.font : null;
  // Text in mode 3 shows no glyph, so its font may be missing (ISO 19005-2, 6.2.11.4.1).
  if (!font || object.type !== 'text' || object.event.paints === 'none') return;
  once(font, () => {
    const finding = { object, objectType: 'font', resourceName: font.baseName } as const;
    if (!font.isEmbedded) return { ...finding, rule: 'fontEmbedded', params: { font: font.baseName } };
    const entry = mappingFault(file, font);
    return entry === null ? null : { ...finding, rule: 'fontMapping', params: { font: font.baseName, entry } };
  });
}

/**
 * Whether a colour can be told without the machine that shows it: it is measured, or in the space of the output intent.
 * Gray belongs to any output intent (ISO 19005-2, 6.2.4.3).
 */
function isTold(space: ColorSpace, output: string | null): boolean {
  const base = baseSpace(space);
  if (base.family === 'Separation' || base.family === 'DeviceN') return isTold(base.alternate, output);
  const family = colourFamily(base);
  if (family === 'DeviceGray') return output !== null;
  if (family === 'DeviceCMYK') return output === 'CMYK';
  return family !== 'DeviceRGB' || output === 'RGB';
}

function judgeColour(file: PdfFile, object: PageObject, output: string | null, once: Once): void {
  // Of a mask only the luminosity counts.
  if (object.event.place.run.isInSoftMask) return;
  for (const space of spacesOf(object)) {
    if (isTold(space, output) || isReplaced(file, object, space)) continue;
    const family = colourFamily(space) ?? space.family;
    once(family, () => ({ rule: 'colour', object, params: { family, kind: object.type } }));
  }
  const part = partsOf(object).find((one) => overprints(object, one) && familyOf(object, one) === 'ICCCMYK');
  if (part && object.event.state.overprintMode === 1)
    once('iccOverprint', () => ({ rule: 'iccOverprint', object, colourOf: part, params: { kind: object.type } }));
}

/** Whether the resources replace a device space by a measured one, for uncoloured patterns as well (ISO 32000-1, 8.6.5.6). */
function isReplaced(file: PdfFile, { event }: PageObject, space: ColorSpace): boolean {
  const { family } = baseSpace(space);
  if (!family.startsWith('Device')) return false;
  const spaces = dictOf(file, event.place.run.resources, 'ColorSpace');
  return spaces?.map.has(family.replace('Device', 'Default')) === true;
}

const familyOf = (object: PageObject, part: 'fill' | 'stroke') =>
  colourFamily((object.type === 'image' && object.event.image.space) || spaceOf(object, part));

function judgeBlending(space: ColorSpace, output: string | null, once: Once): void {
  const family = colourFamily(space);
  if (family && family !== 'DeviceGray' && !isTold(space, output))
    once(`blending ${family}`, () => ({ rule: 'blendSpace', objectType: 'page', params: { family } }));
}

const intents = new Set(['Perceptual', 'RelativeColorimetric', 'Saturation', 'AbsoluteColorimetric']);

/** What ISO 19005 permits although other standards restrict it. */
const permitted = new Set<RestrictedFeature>(['sixteenBit', 'jpx', 'jbig2', 'blackGeneration', 'transferCurve']);

/** Graphics state and pictures (ISO 19005-2, 6.2.5, 6.2.6, 6.2.8). */
function judgeState(file: PdfFile, object: PageObject, once: Once): void {
  const { state } = object.event;
  const features = new Set<string>(featuresOf(file, object).filter((feature) => !permitted.has(feature)));
  if (hasPlainHalftone(file, object.event.state.device)) features.delete('halftone');
  const second = state.device?.get('TR2');
  if (state.device?.has('TR') || (second !== undefined && !isName(second, 'Default'))) features.add('transferCurve');
  const image = object.type === 'image' ? object.event.image : null;
  if (image?.interpolate) features.add('interpolate');
  for (const feature of features) once(`feature ${feature}`, () => ({ rule: 'feature', object, params: { feature } }));
  for (const intent of [state.renderingIntent, image && nameOf(file, image.dict, 'Intent')])
    if (intent && !intents.has(intent))
      once(`intent ${intent}`, () => ({ rule: 'renderingIntent', object, params: { intent } }));
}

/** Forms and pictures in the resources (ISO 19005-2, 6.2.9), used or not. */
function judgeForms({ file, page }: PageContext<Key>, once: Once): void {
  for (const { name, dict } of resourcesBelow(file, page.resources, 'XObject')) {
    const features = [
      ...(isPostScript(file, dict) ? ['postscript'] : []),
      ...(dict.map.has('OPI') ? ['opi'] : []),
      ...(isDict(file.resolve(dict.map.get('Ref'))) ? ['reference'] : []),
    ];
    for (const feature of features)
      once(`feature ${feature}`, () => ({
        rule: 'feature',
        objectType: 'page',
        resourceName: name,
        params: { feature },
      }));
  }
}

/** Blend modes that every program knows (ISO 32000-1, 11.3.5). */
const blendModes = new Set(
  'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  ),
);

/** Graphics states in the resources, used or not (ISO 19005-2, 6.2.5, 6.2.10). */
function judgeStates({ file, page }: PageContext<Key>, once: Once): void {
  for (const { name, dict } of resourcesBelow(file, page.resources, 'ExtGState')) {
    const mode = file.entry(dict, 'BM');
    const isUnknown = (isArray(mode) ? mode : [mode]).some((one) => isName(one) && !blendModes.has(one.name));
    for (const feature of [...(isUnknown ? ['blendMode'] : []), ...(dict.map.has('HTP') ? ['halftone'] : [])])
      once(`feature ${feature}`, () => ({
        rule: 'feature',
        objectType: 'page',
        resourceName: name,
        params: { feature },
      }));
  }
}
const isPostScript = (file: PdfFile, dict: PdfDict): boolean =>
  nameOf(file, dict, 'Subtype') === 'PS' || nameOf(file, dict, 'Subtype2') === 'PS' || dict.map.has('PS');
