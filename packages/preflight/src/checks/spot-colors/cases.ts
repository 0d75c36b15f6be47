import { doc, onLayer, withResource } from '../../quality/content.ts';
import type { Doc } from '../../quality/doc.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** A Separation `/Own` of this name; `cmyk` at full tint. */
const separation = (name: string, cmyk: string): Partial<Doc> => ({
  resources: withResource('ColorSpace', `/Own [/Separation /${name} /DeviceCMYK 490 0 R]`),
  objects: { 490: `<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [${cmyk}] >>` },
});

/** A name of any letters as PDF writes it. */
const nameOf = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `#${byte.toString(16).padStart(2, '0')}`).join('');

export const cases: readonly RuleCase<'SpotColors'>[] = [
  {
    kind: 'object',
    rule: 'notAllowed',
    settings: { policy: 'Disallow' },
    breaks: doc('/Gold cs 0.01 scn 100 100 50 50 re f'),
    passes: doc('/Gold cs 0 scn 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'notAllowed',
    settings: { policy: 'AllowOnly', names: ['gol*'] },
    breaks: doc('/Silver cs 1 scn 100 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'tooMany',
    settings: { maxCount: 1 },
    breaks: doc('/Gold cs 1 scn 100 100 50 50 re f /Silver cs 1 scn 200 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /Cut CS 1 SCN 200 100 50 50 re S'),
  },
  {
    kind: 'object',
    rule: 'caseDuplicate',
    breaks: doc('/Gold cs 1 scn 100 100 50 50 re f /Gold2 cs 1 scn 200 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /Silver cs 1 scn 200 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'suffixDuplicate',
    breaks: doc('/Gold cs 1 scn 100 100 50 50 re f /GoldC cs 1 scn 200 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /Silver cs 1 scn 200 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'sameTint',
    breaks: doc('/Gold cs 1 scn 100 100 50 50 re f /Silver cs 1 scn 200 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /GoldC cs 1 scn 200 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'suffixDuplicate',
    breaks: doc(
      '/Gold cs 1 scn 100 100 50 50 re f /Own cs 1 scn 200 100 50 50 re f',
      separation('Gold#20TPX', '0 0.3 0.8 0.1'),
    ),
    passes: doc(
      '/Gold cs 1 scn 100 100 50 50 re f /Own cs 1 scn 200 100 50 50 re f',
      separation('Gold#20Ore', '0 0.3 0.8 0.1'),
    ),
  },
  {
    kind: 'object',
    rule: 'twoTints',
    breaks: doc(
      '/Gold cs 1 scn 100 100 50 50 re f /Own cs 1 scn 200 100 50 50 re f',
      separation('Gold', '0 0.5 0.8 0.1'),
    ),
    passes: doc(
      '/Gold cs 1 scn 100 100 50 50 re f /Own cs 1 scn 200 100 50 50 re f',
      separation('Gold', '0 0.2 0.8 0.1'),
    ),
  },
  {
    kind: 'object',
    rule: 'likeProcess',
    breaks: doc('/Own cs 1 scn 100 100 50 50 re f', separation('cyan', '1 0 0 0')),
    passes: doc('/Own cs 1 scn 100 100 50 50 re f', separation('Cyan', '1 0 0 0')),
  },
  {
    kind: 'object',
    rule: 'registrationInArtwork',
    breaks: doc('/All CS 1 SCN 100 100 50 50 re S'),
    passes: doc('/All CS 1 SCN 5 0 m 5 8 l S'),
  },
  {
    kind: 'object',
    rule: 'registrationInArtwork',
    breaks: doc('/All CS 1 SCN 20 0 m 20 8 l 380 492 m 380 500 l 200 250 m 200 260 l S'),
    passes: doc('/All CS 1 SCN 20 0 m 20 8 l 380 492 m 380 500 l 200 0 m 200 8 l S'),
  },
  // A name beyond Latin letters, and an accent written in two ways.
  {
    kind: 'object',
    rule: 'notAllowed',
    settings: { policy: 'AllowOnly', names: ['Золото', 'Caf\u00e9*'] },
    breaks: doc('/Own cs 1 scn 100 100 50 50 re f', separation(nameOf('Серебро'), '0 0 0 0.5')),
    passes: doc('/Own cs 1 scn 100 100 50 50 re f', separation(nameOf('Золото'), '0 0.2 0.8 0.1')),
  },
  {
    kind: 'object',
    rule: 'notAllowed',
    settings: { policy: 'AllowOnly', names: ['Caf\u00e9*'] },
    breaks: doc('/Own cs 1 scn 100 100 50 50 re f', separation(nameOf('Cafe'), '0 0 0 0.5')),
    passes: doc('/Own cs 1 scn 100 100 50 50 re f', separation(nameOf('Cafe\u0301 2'), '0 0.2 0.8 0.1')),
  },
  // The same full colour by another curve is another colour in every tint.
  {
    kind: 'object',
    rule: 'sameTint',
    breaks: doc(
      '/Gold cs 1 scn 100 100 50 50 re f /Own cs 1 scn 200 100 50 50 re f',
      separation('Fox', '0 0.2 0.8 0.1'),
    ),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f /Own cs 1 scn 200 100 50 50 re f', {
      ...separation('Fox', ''),
      objects: { 490: '<< /FunctionType 2 /Domain [0 1] /N 3 /C0 [0 0 0 0] /C1 [0 0.2 0.8 0.1] >>' },
    }),
  },
  {
    kind: 'page',
    rule: 'registrationInArtwork',
    breaks: onLayer('/All CS 1 SCN 100 100 50 50 re S', ''),
    passes: onLayer(
      '/All CS 1 SCN 100 100 50 50 re S',
      '',
      '/GTS_Metadata << /GTS_ProcStepsGroup /Structural /GTS_ProcStepsType /Cutting >>',
    ),
  },
];
