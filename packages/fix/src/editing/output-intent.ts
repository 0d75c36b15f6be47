/** Reads and sets output intents: the printing condition that a file is prepared for. */
import { createHash } from 'node:crypto';
import {
  isArray,
  isDict,
  isName,
  isShippedProfile,
  isString,
  type PdfDict,
  type PdfEditor,
  type PdfFile,
  pdfDict,
  pdfName,
  pdfRef,
  pdfText,
  pdfTextString,
  profileBytes,
  readProfileFacts,
  type ShippedProfileId,
} from '@pdf2press/pdf';
import { failed } from '../kind/runner.ts';

/** Names in the ICC characterization data registry of the conditions that the shipped profiles describe. */
const conditions: Partial<Record<ShippedProfileId, { identifier: string; condition: string }>> = {
  'fogra39l-coated': { identifier: 'FOGRA39', condition: 'Offset, coated paper, 115–170 g/m², ISO 12647-2:2004/Amd 1' },
  'isocoated-v2-300-bas': {
    identifier: 'FOGRA39',
    condition: 'Offset, coated paper, total ink 300 %, ISO 12647-2:2004/Amd 1',
  },
  srgb: { identifier: 'sRGB', condition: 'sRGB IEC61966-2.1' },
};

export interface Intent {
  identifier: string;
  condition: string;
  registry: string;
  profile: ShippedProfileId;
}

/**
 * The output intent of a shipped profile; words left out come from the profile.
 * @throws FixStop `profileUnknown` for a profile that is not shipped
 */
export function intentOf(
  id: string,
  words: { identifier?: string; condition?: string; registry?: string } = {},
): Intent {
  if (!isShippedProfile(id)) throw failed('profileUnknown', { profile: id });
  const known = conditions[id];
  return {
    profile: id,
    identifier: words.identifier || known?.identifier || 'Custom',
    condition: words.condition || known?.condition || readProfileFacts(profileBytes(id)).name,
    registry: words.registry || 'http://www.color.org',
  };
}

/** The PDF/X output intents of the document. */
export function outputIntents(file: PdfFile): PdfDict[] {
  const list = file.entry(file.catalog, 'OutputIntents');
  if (!isArray(list)) return [];
  return list
    .map((entry) => file.resolve(entry))
    .filter((intent): intent is PdfDict => isDict(intent) && !isName(intent.map.get('S'), 'GTS_PDFA1'));
}

/** The profile embedded in the PDF/X output intent, if it has the given number of components; else null. */
export function intentProfile(file: PdfFile, components: number): Uint8Array | null {
  for (const intent of outputIntents(file)) {
    const profile = file.entry(intent, 'DestOutputProfile');
    if (isDict(profile) && profile.stream !== 0 && file.entry(profile, 'N') === components)
      return file.stream(profile.stream);
  }
  return null;
}

export const intentName = (file: PdfFile, intent: PdfDict): string => {
  const text = file.entry(intent, 'OutputConditionIdentifier');
  return isString(text) ? pdfText(text.bytes) : '';
};

const componentsOf = { Gray: 1, RGB: 3, CMYK: 4, Lab: 3 } as const;

/**
 * Replaces the PDF/X output intents by one. A PDF/A output intent stays but gets the same profile, because both have to
 * use one profile (ISO 19005-2, 6.2.3). Output intents of single pages (ISO 32000-2, 14.11.5) are removed.
 */
export function setOutputIntent(edit: PdfEditor, intent: Intent): void {
  const { file } = edit;
  const bytes = profileBytes(intent.profile);
  const model = readProfileFacts(bytes).model ?? 'CMYK';
  const profile = pdfRef(edit.addStream(bytes, pdfDict({ N: componentsOf[model] })));
  const dict = pdfDict({
    Type: pdfName('OutputIntent'),
    S: pdfName('GTS_PDFX'),
    OutputConditionIdentifier: pdfTextString(intent.identifier),
    OutputCondition: pdfTextString(intent.condition),
    RegistryName: pdfTextString(intent.registry),
    Info: pdfTextString(intent.condition),
    DestOutputProfile: profile,
  });
  const list = file.entry(file.catalog, 'OutputIntents');
  const archival = (isArray(list) ? list : [])
    .map((entry) => file.resolve(entry))
    .filter((other): other is PdfDict => isDict(other) && isName(other.map.get('S'), 'GTS_PDFA1'))
    .map((other) => pdfDict({ ...Object.fromEntries(dict.map), S: pdfName('GTS_PDFA1') }, other));
  edit.putCatalog(
    'OutputIntents',
    [dict, ...archival].map((one) => pdfRef(edit.add(one))),
  );
  for (const page of file.pages)
    if (page.object !== 0 && page.dict.map.has('OutputIntents')) edit.putPage(page, 'OutputIntents', undefined);
}

/** Whether the output intent has a CMYK profile or names a registered printing condition. */
export const isMadeForPress = (file: PdfFile): boolean =>
  outputIntents(file).some((intent) => {
    const profile = file.entry(intent, 'DestOutputProfile');
    return isDict(profile) ? file.entry(profile, 'N') === 4 : intentName(file, intent) !== '';
  });

/** Whether the file already has this output intent. */
export function hasIntent(file: PdfFile, intent: Intent): boolean {
  const bytes = profileBytes(intent.profile);
  const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
  return outputIntents(file).some((one) => {
    const profile = file.entry(one, 'DestOutputProfile');
    return (
      intentName(file, one) === intent.identifier &&
      isDict(profile) &&
      profile.stream !== 0 &&
      hash(file.stream(profile.stream)) === hash(bytes)
    );
  });
}
