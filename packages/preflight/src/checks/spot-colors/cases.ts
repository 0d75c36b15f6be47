import { doc } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

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
    rule: 'registrationInArtwork',
    breaks: doc('/All CS 1 SCN 100 100 50 50 re S'),
    passes: doc('/All CS 1 SCN 5 0 m 5 8 l S'),
  },
];
