/** What the pages of rule cases show. */
import { type Doc, libraryResources } from './doc.ts';

export const doc = (content: string, rest: Partial<Doc> = {}): Doc => ({ content, ...rest });

/** A page that is about something else. */
export const something = '0 0 0 1 k 100 100 50 50 re f';
export const pages = (count: number): Doc =>
  doc(something, { morePages: Array.from({ length: count - 1 }, () => ({})) });

export const text = (size: number, colour: string, string = 'Sample'): string =>
  `BT ${colour} /F1 ${size} Tf 100 200 Td (${string}) Tj ET`;
export const line = (width: number, colour = '0 0 0 1 K'): string => `${colour} ${width} w 100 200 m 200 200 l S`;
export const onCyan = (content: string): string => `1 0 0 0 k 50 150 200 200 re f ${content}`;

export const imageAt = (name: string, size: number): string => `q ${size} 0 0 ${size} 100 200 cm /${name} Do Q`;
/** A picture of 60 pt whose left edge is here. */
export const imageFrom = (left: number): string => `q 60 0 0 60 ${left} 200 cm /Im Do Q`;
/** 100 px so large that they have this resolution. */
export const at = (ppi: number, pixels = 100): number => (pixels * 72) / ppi;

export const note = (rect: string, subtype = 'Text', more = ''): Doc =>
  doc(something, { extra: `/Annots [<< /Type /Annot /Subtype /${subtype} /Rect [${rect}] /Contents (x) ${more} >>]` });
export const sized = (width: number, height: number): Partial<Doc> => ({
  media: [0, 0, width, height],
  trim: [0, 0, width, height],
  bleed: null,
});

/** The head of an ICC profile: all that a check reads of one. */
export function profileOf(space: 'CMYK' | 'RGB '): Uint8Array {
  const profile = Buffer.alloc(144);
  profile.writeUInt32BE(144, 0);
  profile.write('prtr', 12, 'latin1');
  profile.write(space, 16, 'latin1');
  profile.write('acsp', 36, 'latin1');
  return profile;
}
export const outputIntent = (entries: string): Partial<Doc> => ({
  catalog: `/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (CGATS TR 006) ${entries} >>]`,
});
/** A document with an output intent and its profile. */
export const intent = (space: 'CMYK' | 'RGB '): Partial<Doc> => ({
  ...outputIntent('/DestOutputProfile 420 0 R'),
  objects: { 420: { dict: `/N ${space === 'CMYK' ? 4 : 3}`, data: profileOf(space) } },
});

/** A transparency group that is opaque inside. */
export const groupForm: Partial<Doc> = {
  resources: `${libraryResources.replace('/XObject <<', '/XObject << /Group 470 0 R')}`,
  objects: {
    470: {
      dict: '/Type /XObject /Subtype /Form /BBox [0 0 400 500] /Group << /S /Transparency /CS /DeviceCMYK >>',
      data: something,
    },
  },
};

export { mm } from '../../checks/fields.ts';

const withResource = (category: string, entry: string): string =>
  libraryResources.replace(`/${category} <<`, `/${category} << ${entry}`);

/** A picture `/Pic` of 10 × 10 px with entries of its own. */
export const picture = (entries: string, data: string | Uint8Array = ''): Partial<Doc> => ({
  resources: withResource('XObject', '/Pic 480 0 R'),
  objects: { 480: { dict: `/Type /XObject /Subtype /Image /Width 10 /Height 10 ${entries}`, data } },
});
/** A graphics state `/Own`. */
export const state = (entries: string): Partial<Doc> => ({
  resources: withResource('ExtGState', '/Own 481 0 R'),
  objects: { 481: `<< /Type /ExtGState ${entries} >>` },
});
/** A font `/Own`; further objects from 483. */
export const font = (entries: string, objects: Doc['objects'] = {}): Partial<Doc> => ({
  resources: withResource('Font', '/Own 482 0 R'),
  objects: { 482: `<< /Type /Font ${entries} >>`, ...objects },
});
/** A colour space `/Own`; further objects from 484. */
export const space = (definition: string, objects: Doc['objects'] = {}): Partial<Doc> => ({
  resources: withResource('ColorSpace', '/Own 483 0 R'),
  objects: { 483: definition, ...objects },
});

/** Content on a layer `/Layer`, and how the document shows it. */
export const onLayer = (content: string, configuration: string, entries = ''): Doc =>
  doc(`/OC /Layer BDC ${content} EMC`, {
    resources: `${libraryResources} /Properties << /Layer 490 0 R >>`,
    objects: { 490: `<< /Type /OCG /Name (Layer) ${entries} >>` },
    catalog: `/OCProperties << /OCGs [490 0 R] /D << ${configuration} >> >>`,
  });
