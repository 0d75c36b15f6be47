/** Rules of ISO 15930 for the document as a whole. */
import type { PdfDict, PdfFile } from '@pdf2press/pdf';
import { arrayOf, dictOf, dictsIn, nameOf, textOf } from '@pdf2press/pdf';
import {
  documentActions,
  nameTreeValues,
  type OutputIntent,
  outputIntents,
  xmpOf,
  xmpValue,
} from '../../reading/document-facts.ts';
import type { RuleOf } from '../contracts.ts';
import type { PdfxDemands, ProfilePlace } from './demands.ts';

type Rule = RuleOf<'PdfX'>;
export interface Breach {
  rule: Rule;
  params: Record<string, string | number | string[]>;
}

const breach = (rule: Rule, params: Breach['params'] = {}): Breach => ({ rule, params });

/** The document rules that a file breaks, with the parameters of the findings. */
export function documentBreaches(file: PdfFile, demands: PdfxDemands, claimRequired: boolean): Breach[] {
  const xmp = xmpOf(file);
  return [
    ...(claimRequired ? claimBreaches(file, demands, xmp) : []),
    ...stateBreaches(file, demands),
    ...informationBreaches(file, demands, xmp),
    ...outputIntentBreaches(file, demands),
    ...contentBreaches(file, demands),
  ];
}

function claimBreaches(file: PdfFile, demands: PdfxDemands, xmp: string): Breach[] {
  const inInfo = file.info && textOf(file, file.info, 'GTS_PDFXVersion');
  const claimed = (demands.isClaimedInInfo ? inInfo : xmpValue(xmp, 'pdfxid:GTS_PDFXVersion')) ?? '';
  return demands.claims.includes(claimed)
    ? []
    : [breach('claim', { claimed: claimed || 'missing', required: demands.claims[0] ?? '' })];
}

function stateBreaches(file: PdfFile, demands: PdfxDemands): Breach[] {
  const breaches: Breach[] = [];
  if (Number(file.version) > demands.maxVersion)
    breaches.push(breach('version', { version: file.version, highest: demands.maxVersion }));
  if (Number(file.version) < demands.minVersion)
    breaches.push(breach('versionLow', { version: file.version, lowest: demands.minVersion.toFixed(1) }));
  if (file.encryption) breaches.push(breach('encrypted'));
  if (file.isRepaired) breaches.push(breach('damaged'));
  if (arrayOf(file, file.trailer, 'ID').length !== 2) breaches.push(breach('trailerId'));
  return breaches;
}

function informationBreaches(file: PdfFile, demands: PdfxDemands, xmp: string): Breach[] {
  const { info } = file;
  const missing: string[] = [];
  const need = (label: string, isThere: boolean) => {
    if (!isThere) missing.push(label);
  };
  const inInfo = (key: string) => (info ? (textOf(file, info, key) ?? '') : '') !== '';
  if (demands.isClaimedInInfo) for (const key of ['Title', 'CreationDate', 'ModDate']) need(key, inInfo(key));
  else {
    need('Title', /<dc:title[\s>]/.test(xmp));
    need('CreationDate', xmpValue(xmp, 'xmp:CreateDate') !== null);
    need('ModDate', xmpValue(xmp, 'xmp:ModifyDate') !== null);
    for (const property of ['xmp:MetadataDate', 'xmpMM:DocumentID', 'xmpMM:VersionID', 'xmpMM:RenditionClass'])
      need(property.slice(property.indexOf(':') + 1), xmpValue(xmp, property) !== null);
  }
  const trapped =
    (info && (nameOf(file, info, 'Trapped') ?? textOf(file, info, 'Trapped'))) ?? xmpValue(xmp, 'pdf:Trapped') ?? '';
  return [
    ...(missing.length > 0 ? [breach('documentInfo', { missing })] : []),
    ...(trapped === 'True' || trapped === 'False' ? [] : [breach('trapped', { trapped })]),
  ];
}

function outputIntentBreaches(file: PdfFile, demands: PdfxDemands): Breach[] {
  const holders = [file.catalog, ...(demands.takesPageIntents ? file.pages.map(({ dict }) => dict) : [])];
  const reasons = holders.map((holder) => {
    const intents = outputIntents(file, holder).filter(({ subtype }) => subtype === 'GTS_PDFX');
    const isOfPage = holder !== file.catalog;
    return isOfPage && intents.length === 0 ? null : intentReason(intents, demands);
  });
  const reason = reasons.find((one) => one !== null);
  return reason ? [breach('outputIntent', { reason })] : [];
}

/** What is wrong with the output intents for PDF/X of a document or a page; null when they can stay. */
function intentReason([intent, ...others]: readonly OutputIntent[], demands: PdfxDemands): string | null {
  if (!intent) return 'missing';
  if (others.length > 0) return 'several';
  if (intent.identifier === '') return 'noIdentifier';
  return demands.profile === 'external' || demands.profile === 'externalN'
    ? referenceReason(intent, demands.profile)
    : profileReason(intent, demands);
}

function profileReason(intent: OutputIntent, demands: PdfxDemands): string | null {
  // A condition registered under RegistryName replaces the embedded profile.
  const isRegistered = demands.profile === 'registered' && intent.registry !== '';
  if (!intent.hasProfile) return isRegistered ? null : 'noProfile';
  if (intent.profileSpace === null) return 'brokenProfile';
  if (intent.profileClass !== null && intent.profileClass !== 'output') return 'notOutput';
  return !demands.takesIcc && intent.profileSpace !== 'CMYK' ? 'notCmyk' : null;
}

const spacesOfThree = ['GRAY', 'RGB', 'CMYK'];

/** The profile is another file, so that what identifies it must be complete (ISO 32000-2, table 402). */
function referenceReason({ reference, hasProfile }: OutputIntent, place: ProfilePlace): string | null {
  if (!reference) return 'noReference';
  if (hasProfile) return 'embeddedToo';
  if (!reference.isComplete) return 'incompleteReference';
  const isOfMoreInks = !spacesOfThree.includes(reference.space);
  if (isOfMoreInks !== (place === 'externalN')) return isOfMoreInks ? 'manyInks' : 'fewInks';
  return isOfMoreInks && reference.colorants.length === 0 ? 'noColorants' : null;
}

function contentBreaches(file: PdfFile, demands: PdfxDemands): Breach[] {
  const breaches: Breach[] = [];
  const { javascript, actions } = documentActions(file);
  if (javascript || actions.length > 0)
    breaches.push(breach('actions', { actions: [...(javascript ? ['JavaScript'] : []), ...actions] }));
  if (nameTreeValues(file, dictOf(file, dictOf(file, file.catalog, 'Names'), 'EmbeddedFiles')).length > 0)
    breaches.push(breach('embeddedFiles'));
  const layers = dictOf(file, file.catalog, 'OCProperties');
  if (layers && !demands.takesLayers) breaches.push(breach('layers'));
  if (layers && demands.takesLayers && hasOwnWill(file, layers)) breaches.push(breach('optionalContent'));
  if (nameTreeValues(file, dictOf(file, dictOf(file, file.catalog, 'Names'), 'AlternatePresentations')).length > 0)
    breaches.push(breach('alternates'));
  if (!demands.takesPageIntents && otherBoxesPresented(file).length > 0)
    breaches.push(breach('boxes', { reason: 'presented' }));
  return breaches;
}

/**
 * The entries by which viewers and printers are told to show or print another box than the two that hold the bleed
 * (ISO 15930-7, 6.15).
 */
export function otherBoxesPresented(file: PdfFile): string[] {
  const preferences = dictOf(file, file.catalog, 'ViewerPreferences');
  return ['ViewArea', 'ViewClip', 'PrintArea', 'PrintClip'].filter((key) => {
    const box = preferences && nameOf(file, preferences, key);
    return box && box !== 'MediaBox' && box !== 'BleedBox';
  });
}

/**
 * Layers that switch by event, or configurations that nobody can choose by name: what prints would not be what was looked
 * at (ISO 15930-7, 6.18).
 */
function hasOwnWill(file: PdfFile, properties: PdfDict): boolean {
  const chosen = dictsIn(file, arrayOf(file, properties, 'Configs'));
  const first = dictOf(file, properties, 'D');
  return (
    [...(first ? [first] : []), ...chosen].some((one) => arrayOf(file, one, 'AS').length > 0) ||
    chosen.some((one) => !textOf(file, one, 'Name'))
  );
}
