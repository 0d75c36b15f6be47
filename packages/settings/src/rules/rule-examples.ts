import { factsOf } from '../facts/facts.ts';
import { knownNames } from '../facts/known-names.ts';
import type { RuleFacts } from './evaluate-rules.ts';
import type { RegularExpressions } from './regular-expressions.ts';

/* A session that the tests of rules ask about. */

export const mm = 72 / 25.4;
export const known = knownNames({
  scope: 'rule',
  variables: [
    { name: 'width', type: 'Number', options: [] },
    { name: 'stock', type: 'Select', options: ['Silk', 'Matt'] },
    { name: 'isRush', type: 'YesNo', options: [] },
    { name: 'note', type: 'String', options: [] },
  ],
});
const facts = factsOf(
  {
    'file.name': 'Größe-A4_final.PDF',
    'pdf.pageCount': 8,
    'pdf.trimWidth': 595.32,
    'pdf.inks': ['Cyan', 'Gold'],
    'pdf.fontsMissing': [],
    'pdf.hasTransparency': true,
    'pdf.title': '',
    'order.dueDate': '2026-11-27',
    'session.createdAt': '2026-11-22T23:30:00Z',
    'preflight.result': 'Warning',
    'preflight.check.Bleed.result': 'Error',
    'preflight.check.Bleed.value': 3.5,
    'order.id': null,
    width: 210,
    stock: 'Silk',
    isRush: false,
    note: null,
  },
  (name) => known.get(name)?.type,
);
export const aboutSession = (regular: RegularExpressions): RuleFacts => ({
  facts,
  findings: [
    { checkKey: 'Bleed', ruleKey: 'Bleed.missing', severity: 'Fail', page: 1, count: 3 },
    { checkKey: 'Bleed', ruleKey: 'Bleed.small', severity: 'Warn', page: null, pages: [2, 3] },
    { checkKey: 'Fonts', ruleKey: 'Fonts.embedded', severity: 'Info', page: null },
  ],
  pageCount: 8,
  now: new Date('2026-11-25T12:00:00Z'),
  unit: 'Millimeters',
  timeZone: 'Europe/Berlin',
  regular,
});
