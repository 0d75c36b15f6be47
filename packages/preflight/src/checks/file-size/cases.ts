import { doc, pages, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'FileSize'>[] = [
  {
    kind: 'page',
    rule: 'tooSmall',
    settings: { minBytes: 1_000_000 },
    breaks: pages(1),
    passes: doc(something, { objects: { 430: { dict: '', data: new Uint8Array(1_000_000) } } }),
  },
  {
    kind: 'page',
    rule: 'tooLarge',
    settings: { warnAbove: 1_000_000 },
    breaks: doc(something, { objects: { 430: { dict: '', data: new Uint8Array(1_000_000) } } }),
    passes: pages(1),
  },
  {
    kind: 'page',
    rule: 'pageAverage',
    settings: { warnAbovePerPage: 1_000_000 },
    breaks: doc(something, { objects: { 430: { dict: '', data: new Uint8Array(1_000_000) } } }),
    passes: doc(something, { objects: { 430: { dict: '', data: new Uint8Array(1_000_000) } }, morePages: [{}] }),
  },
];
