import { doc, imageAt, picture, state } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

const pic = imageAt('Pic', 50);
const grey = '/ColorSpace /DeviceGray /BitsPerComponent 8';

export const cases: readonly RuleCase<'RestrictedFeatures'>[] = [
  {
    kind: 'page',
    rule: 'transferCurve',
    breaks: doc('/Own gs 0 g 100 100 50 50 re f', state('/TR 307 0 R')),
    passes: doc('/TrId gs 0 g 100 100 50 50 re f'),
  },
  {
    kind: 'placed',
    rule: 'sixteenBit',
    breaks: doc(pic, picture('/ColorSpace /DeviceGray /BitsPerComponent 16')),
    passes: doc(pic, picture(grey)),
  },
  {
    kind: 'placed',
    rule: 'jpx',
    breaks: doc(pic, picture(`${grey} /Filter /JPXDecode`)),
    passes: doc(pic, picture(`${grey} /Filter /DCTDecode`)),
  },
  {
    kind: 'placed',
    rule: 'jbig2',
    breaks: doc(pic, picture('/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode')),
    passes: doc(pic, picture('/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode')),
  },
  {
    kind: 'placed',
    rule: 'lzw',
    breaks: doc(pic, picture(`${grey} /Filter /LZWDecode`)),
    passes: doc(pic, picture(`${grey} /Filter /FlateDecode`)),
  },
  {
    kind: 'placed',
    rule: 'alternateImages',
    breaks: doc(pic, picture(`${grey} /Alternates [<< /Image 304 0 R >>]`)),
    passes: doc(pic, picture(grey)),
  },
  {
    kind: 'placed',
    rule: 'opi',
    breaks: doc(pic, picture(`${grey} /OPI << /1.3 << /Type /OPI >> >>`)),
    passes: doc(pic, picture(grey)),
  },
  {
    kind: 'placed',
    rule: 'transferCurve',
    breaks: doc('/Own gs 0 g 100 100 50 50 re f', state('/TR2 307 0 R')),
    passes: doc('/Own gs 0 g 100 100 50 50 re f', state('/TR2 /Default')),
  },
  {
    kind: 'placed',
    rule: 'halftone',
    breaks: doc(
      '/Own gs 0 g 100 100 50 50 re f',
      state('/HT << /HalftoneType 1 /Frequency 60 /Angle 45 /SpotFunction /Round >>'),
    ),
    passes: doc('/Own gs 0 g 100 100 50 50 re f', state('/HT /Default')),
  },
  {
    kind: 'placed',
    rule: 'blackGeneration',
    breaks: doc('/Own gs 0 g 100 100 50 50 re f', state('/BG 307 0 R')),
    passes: doc('/Own gs 0 g 100 100 50 50 re f', state('/BG2 /Default')),
  },
];
