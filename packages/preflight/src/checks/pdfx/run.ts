import {
  arrayOf,
  type BoxArray,
  baseSpace,
  type ColorSpace,
  covers,
  dictOf,
  dictsIn,
  type Font,
  nameOf,
  ordered,
  type PageFacts,
  type PdfDict,
  type PdfFile,
  rectOf,
  resourcesBelow,
  runPath,
  touches,
} from '@pdf2press/pdf';
import { colourFamily } from '../../reading/colour-family.ts';
import { outputIntents } from '../../reading/document-facts.ts';
import { overprints, partsOf, spaceOf } from '../../reading/parts.ts';
import { featuresOf, hasPlainHalftone, type RestrictedFeature, stateFeatures } from '../../reading/restricted.ts';
import type { PageObject } from '../../reading/scene.ts';
import { spacesOf } from '../../reading/spots.ts';
import { groupTransparency, objectTransparency } from '../../reading/transparency.ts';
import { conversionOf } from '../colour-conversion.ts';
import type { RuleOf } from '../contracts.ts';
import { checkRunner, type FixHint, type PageContext, type Report } from '../runner.ts';
import { type PdfxDemands, type PdfxLevel, pdfxDemands } from './demands.ts';
import { documentBreaches } from './document-rules.ts';

type Key = 'PdfX';
type Rule = RuleOf<Key>;

/** Annotations that ISO 15930 permits inside the BleedBox. */
const allowedAnnotations = new Set(['PrinterMark', 'TrapNet', 'Popup', 'Link']);

export const pdfxRunner = checkRunner<Key>()<undefined>({
  page(context) {
    const { settings } = context;
    const demands = pdfxDemands[settings.level];
    const seenFonts = new Set<Font>();
    const outputSpace = spaceOfOutput(context, demands);
    const features = new Set<string>();
    const tell = (found: Report<Rule>) => {
      if (found.rule === 'feature') features.add(String(found.params?.feature));
      context.report({
        standardRule: `${demands.standard}:${found.rule}`,
        ...found,
        params: { standard: nameOfStandard(settings.level), ...found.params },
      });
    };
    return {
      object(object) {
        // The standard applies to hidden objects too. Glyphs of Type 3 fonts are judged by the text that shows them.
        if (object.inGlyph) return;
        judgeFont(object, seenFonts, tell);
        judgeColour(object, demands, outputSpace, tell);
        judgeIccOverprint(object, demands, tell);
        judgeTransparency(object, demands, tell);
        judgeFeatures(context, object, demands, tell);
      },
      runBegin(event) {
        const reason = demands.takesTransparency ? null : groupTransparency(event);
        const objectRef = `${event.run.object} 0 R ${runPath(event.run)}`;
        if (reason)
          tell({ rule: 'transparency', objectType: 'vector', objectRef, params: { reason }, fixableBy: flatten });
      },
      end() {
        judgeBoxes(context, tell);
        judgePageContents(context, demands, tell);
        judgeUnusedStates(context, features, demands, tell);
        return undefined;
      },
    };
  },
  document({ file, settings, report }) {
    const demands = pdfxDemands[settings.level];
    for (const { rule, params } of documentBreaches(file, demands, settings.claimRequired)) {
      report({
        rule,
        objectType: 'document',
        params: { standard: nameOfStandard(settings.level), ...params },
        standardRule: `${demands.standard}:${rule}`,
        fixableBy: fixFor(rule, demands),
      });
    }
    return { level: settings.level };
  },
});

/** For example `PDF/X-4 (ISO 15930-7:2010)`. */
const nameOfStandard = (level: PdfxLevel): string => `${level} (${pdfxDemands[level].iso})`;

function fixFor(rule: Rule, { convertsTo }: PdfxDemands): FixHint | null {
  const own: Partial<Record<Rule, FixHint | null>> = {
    encrypted: { action: 'Repair', params: {} },
    damaged: { action: 'Repair', params: {} },
    actions: { action: 'RemoveObjects', params: {} },
    embeddedFiles: { action: 'RemoveObjects', params: { attachments: true } },
    layers: { action: 'FlattenLayers', params: {} },
    optionalContent: { action: 'FlattenLayers', params: {} },
    alternates: null,
  };
  if (rule in own) return own[rule] ?? null;
  return convertsTo && { action: 'ConvertToPdfX', params: { standard: convertsTo, replaceIntent: true } };
}

/** Colour space of the press: of the page's own output intent where the standard knows one, else of the document's. */
function spaceOfOutput({ file, page }: PageContext<Key>, { takesPageIntents }: PdfxDemands): string {
  const intents = [...(takesPageIntents ? outputIntents(file, page.dict) : []), ...outputIntents(file)];
  const intent = intents.find(({ subtype }) => subtype === 'GTS_PDFX');
  // A profile of more inks prints DeviceCMYK where the four are among them.
  if (processInks.every((ink) => intent?.reference?.colorants.includes(ink))) return 'CMYK';
  return intent?.profileSpace ?? intent?.reference?.space ?? 'CMYK';
}
const processInks = ['Cyan', 'Magenta', 'Yellow', 'Black'];

type Tell = (found: Report<Rule>) => void;

function judgeFont(object: PageObject, seen: Set<Font>, tell: Tell): void {
  const font = object.type === 'text' ? object.event.font : null;
  // Text that paints nothing needs no glyphs.
  if (!font || seen.has(font) || (object.type === 'text' && object.event.paints === 'none')) return;
  seen.add(font);
  if (!font.isEmbedded)
    tell({
      rule: 'fontEmbedded',
      object,
      objectType: 'font',
      resourceName: font.baseName,
      acrossPages: true,
      params: { font: font.baseName },
    });
}

/** Device colour of the output profile, spot colours with an allowed alternate, and where permitted device-independent colour. */
function isAllowedSpace(space: ColorSpace, demands: PdfxDemands, outputSpace: string): boolean {
  const base = baseSpace(space);
  if (base.family === 'Separation' || base.family === 'DeviceN')
    return isAllowedSpace(base.alternate, demands, outputSpace);
  const family = colourFamily(base);
  if (family === null || family === 'DeviceGray') return true;
  if (family === 'DeviceCMYK') return outputSpace === 'CMYK';
  if (family === 'DeviceRGB') return demands.takesIcc && outputSpace === 'RGB';
  return demands.takesIcc;
}

function judgeColour(object: PageObject, demands: PdfxDemands, outputSpace: string, tell: Tell): void {
  for (const space of spacesOf(object)) {
    if (isAllowedSpace(space, demands, outputSpace)) continue;
    const family = colourFamily(space);
    tell({
      rule: 'colour',
      object,
      params: { family: family ?? space.family, kind: object.type },
      fixableBy: family && conversionOf(family),
    });
  }
}

/**
 * ISO 15930-7 forbids it: overprint mode 1 has no meaning in an ICCBased CMYK space, so programs differ in what they print.
 */
function judgeIccOverprint(object: PageObject, demands: PdfxDemands, tell: Tell): void {
  if (!demands.takesTransparency || object.event.state.overprintMode !== 1) return;
  const ownSpace = object.type === 'image' && !object.event.image.isStencil ? object.event.image.space : null;
  const part = partsOf(object).find(
    (one) => overprints(object, one) && colourFamily(ownSpace ?? spaceOf(object, one)) === 'ICCCMYK',
  );
  if (!part) return;
  tell({
    rule: 'iccOverprint',
    object,
    colourOf: part,
    params: { kind: object.type },
    fixableBy: conversionOf('ICCCMYK'),
  });
}

function judgeTransparency(object: PageObject, demands: PdfxDemands, tell: Tell): void {
  const reason = demands.takesTransparency ? null : objectTransparency(object);
  if (reason) tell({ rule: 'transparency', object, params: { reason }, fixableBy: flatten });
}
const flatten: FixHint = { action: 'FlatteningTransparencies', params: {} };

/** Whether the standard permits a feature of a picture or a graphics state. */
function permits(demands: PdfxDemands, feature: RestrictedFeature, isHalftonePlain: boolean): boolean {
  if (feature === 'jpx') return demands.takesJpx;
  if (feature === 'jbig2') return demands.takesJbig2;
  if (feature === 'sixteenBit') return demands.takesTransparency;
  return feature === 'blackGeneration' || (feature === 'halftone' && isHalftonePlain);
}

function judgeFeatures({ file }: PageContext<Key>, object: PageObject, demands: PdfxDemands, tell: Tell): void {
  const isHalftonePlain = hasPlainHalftone(file, object.event.state.device);
  for (const feature of featuresOf(file, object))
    if (!permits(demands, feature, isHalftonePlain)) tell({ rule: 'feature', object, params: { feature } });
}

/** Graphics states in the resources that no object of the page has: the standard is about them, too. */
function judgeUnusedStates(
  { file, page }: PageContext<Key>,
  used: ReadonlySet<string>,
  demands: PdfxDemands,
  tell: Tell,
): void {
  for (const { name, dict } of resourcesBelow(file, page.resources, 'ExtGState')) {
    const isHalftonePlain = hasPlainHalftone(file, dict.map);
    for (const feature of stateFeatures(file, dict.map))
      if (!used.has(feature) && !permits(demands, feature, isHalftonePlain))
        tell({ rule: 'feature', objectType: 'page', resourceName: name, params: { feature } });
  }
}

/** Points. Boxes that stand out by less were rounded apart. */
const rounded = 0.03;

/** What is wrong with the boxes of a page as they are written; null when nothing is. */
function boxesReason({ boxes, effective: { media } }: PageFacts): 'missing' | 'both' | 'nesting' | null {
  const finished = boxes.trim ?? boxes.art;
  if (!finished) return 'missing';
  if (boxes.trim && boxes.art) return 'both';
  const within = (inner: BoxArray, outer: BoxArray) => covers(ordered(outer), ordered(inner), rounded);
  const isNested =
    within(finished, media) && (!boxes.bleed || (within(boxes.bleed, media) && within(finished, boxes.bleed)));
  return isNested ? null : 'nesting';
}

function judgeBoxes({ page }: PageContext<Key>, tell: Tell): void {
  const reason = boxesReason(page);
  if (reason)
    tell({
      rule: 'boxes',
      objectType: 'page',
      acrossPages: true,
      params: { reason },
      fixableBy: {
        action: 'SetPageBoxes',
        params: reason === 'missing' ? { box: 'Trim' } : { box: 'None', removeArtBox: reason === 'both' },
      },
    });
}

function judgePageContents({ file, page, area }: PageContext<Key>, demands: PdfxDemands, tell: Tell): void {
  for (const annotation of demands.takesAnnotations ? [] : dictsIn(file, page.annotations)) {
    const subtype = nameOf(file, annotation, 'Subtype') ?? '';
    const rect = rectOf(file, annotation, 'Rect');
    if (!rect || allowedAnnotations.has(subtype) || !touches(rect, area.bleed)) continue;
    tell({
      rule: 'annotations',
      objectType: 'annotation',
      box: rect,
      params: { subtype },
      fixableBy: { action: 'RemoveObjects', params: {} },
    });
  }
  for (const { name, dict } of resourcesBelow(file, page.resources, 'XObject')) {
    const isPostScript = nameOf(file, dict, 'Subtype') === 'PS' || nameOf(file, dict, 'Subtype2') === 'PS';
    if (isPostScript)
      tell({ rule: 'postscript', objectType: 'document', objectRef: `${dict.stream} 0 R`, resourceName: name });
    if (dict.map.has('OPI'))
      tell({ rule: 'feature', objectType: 'page', resourceName: name, params: { feature: 'opi' } });
    const reference = dictOf(file, dict, 'Ref');
    if (reference) judgeReference(file, reference, name, demands, tell);
  }
}

/**
 * A reference XObject stands for a page of another file. ISO 15930-7, 6.19, forbids it; ISO 15930-8 wants to know which file
 * it is, by name and by the two identifiers of its trailer. Whether that file conforms cannot be told from this one.
 */
function judgeReference(file: PdfFile, reference: PdfDict, name: string, demands: PdfxDemands, tell: Tell): void {
  if (!demands.takesReferences) {
    tell({ rule: 'feature', objectType: 'page', resourceName: name, params: { feature: 'reference' } });
    return;
  }
  const missing = [
    ...(reference.map.has('F') ? [] : ['F']),
    ...(reference.map.has('Page') ? [] : ['Page']),
    ...(arrayOf(file, reference, 'ID').length === 2 ? [] : ['ID']),
  ];
  if (missing.length > 0) tell({ rule: 'reference', objectType: 'page', resourceName: name, params: { missing } });
}
