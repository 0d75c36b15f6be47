/** Page contents for the rule cases. Lengths are points. */
import { type Doc, libraryResources } from './doc.ts';

export const doc = (content: string, rest: Partial<Doc> = {}): Doc => ({ content, ...rest });

/** A content that breaks no rule of the case. */
export const something = '0 0 0 1 k 100 100 50 50 re f';
export const pages = (count: number): Doc =>
  doc(something, { morePages: Array.from({ length: count - 1 }, () => ({})) });

export const text = (size: number, colour: string, string = 'Sample'): string =>
  `BT ${colour} /F1 ${size} Tf 100 200 Td (${string}) Tj ET`;
export const line = (width: number, colour = '0 0 0 1 K'): string => `${colour} ${width} w 100 200 m 200 200 l S`;
export const onCyan = (content: string): string => `1 0 0 0 k 50 150 200 200 re f ${content}`;

export const imageAt = (name: string, size: number): string => `q ${size} 0 0 ${size} 100 200 cm /${name} Do Q`;
/** An image of 60 × 60 pt with its left edge at this x coordinate. */
export const imageFrom = (left: number): string => `q 60 0 0 60 ${left} 200 cm /Im Do Q`;
/** Size in points at which an image of so many pixels has this resolution. */
export const at = (ppi: number, pixels = 100): number => (pixels * 72) / ppi;

export const note = (rect: string, subtype = 'Text', more = ''): Doc =>
  doc(something, { extra: `/Annots [<< /Type /Annot /Subtype /${subtype} /Rect [${rect}] /Contents (x) ${more} >>]` });
export const sized = (width: number, height: number): Partial<Doc> => ({
  media: [0, 0, width, height],
  trim: [0, 0, width, height],
  bleed: null,
});

/** The header of an ICC profile; the checks read nothing else. */
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

/** A form `/Group` that is a transparency group with opaque content. */
export const groupForm: Partial<Doc> = {
  resources: `${libraryResources.replace('/XObject <<', '/XObject << /Group 470 0 R')}`,
  objects: {
    470: {
      dict: '/Type /XObject /Subtype /Form /BBox [0 0 400 500] /Group << /S /Transparency /CS /DeviceCMYK >>',
      data: something,
    },
  },
};

export { mm } from '@pdf2press/settings';

export const withResource = (category: string, entry: string): string =>
  libraryResources.replace(`/${category} <<`, `/${category} << ${entry}`);

/** An image `/Pic` of 10 × 10 px with these dictionary entries. */
export const picture = (entries: string, data: string | Uint8Array = ''): Partial<Doc> => ({
  resources: withResource('XObject', '/Pic 480 0 R'),
  objects: { 480: { dict: `/Type /XObject /Subtype /Image /Width 10 /Height 10 ${entries}`, data } },
});
/** An ExtGState `/Own` with these entries. */
export const state = (entries: string): Partial<Doc> => ({
  resources: withResource('ExtGState', '/Own 481 0 R'),
  objects: { 481: `<< /Type /ExtGState ${entries} >>` },
});
/** A font `/Own` with these entries; further objects from number 483. */
export const font = (entries: string, objects: Doc['objects'] = {}): Partial<Doc> => ({
  resources: withResource('Font', '/Own 482 0 R'),
  objects: { 482: `<< /Type /Font ${entries} >>`, ...objects },
});
/** A colour space `/Own`; further objects from number 484. */
export const space = (definition: string, objects: Doc['objects'] = {}): Partial<Doc> => ({
  resources: withResource('ColorSpace', '/Own 483 0 R'),
  objects: { 483: definition, ...objects },
});

/** Content on a layer, with the entries of the default configuration and of the layer. */
export const onLayer = (content: string, configuration: string, entries = ''): Doc =>
  doc(`/OC /Layer BDC ${content} EMC`, {
    resources: `${libraryResources} /Properties << /Layer 490 0 R >>`,
    objects: { 490: `<< /Type /OCG /Name (Layer) ${entries} >>` },
    catalog: `/OCProperties << /OCGs [490 0 R] /D << ${configuration} >> >>`,
  });
