import { auditActs, auditKinds } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';
import words from './messages.en.json' with { type: 'json' };

test('fields that changed are shown with both values, of lists only what went and came', () => {
  expect(
    changesOf({
      before: { name: 'Press', permissions: ['a', 'b', 'c'], isDefault: false, size: { w: 1 } },
      after: { name: 'Press day', permissions: ['b', 'c', 'd'], isDefault: false, size: { w: 2 }, note: 'x' },
    }),
  ).toEqual([
    { field: 'name', before: 'Press', after: 'Press day', unchanged: 0 },
    { field: 'permissions', before: ['a'], after: ['d'], unchanged: 2 },
    { field: 'size', before: { w: 1 }, after: { w: 2 }, unchanged: 0 },
    { field: 'note', before: undefined, after: 'x', unchanged: 0 },
  ]);
  expect(changesOf({ before: null, after: null })).toEqual([]);
});

// The API can write no act that the contract does not name: its type has these and no others.
test('every act and every kind of thing has a word', () => {
  const known = new Set(Object.keys(words));
  expect(auditActs.filter((act) => !known.has(`audit.act.${act}`))).toEqual([]);
  expect(auditKinds.filter((kind) => !known.has(`audit.kind.${kind}`))).toEqual([]);
  const acts = Object.keys(words).filter((key) => key.startsWith('audit.act.'));
  expect(acts).toHaveLength(auditActs.length);
});
