import { expect, test } from 'vitest';
import { buildableKinds, groupOf, shownGroups } from './step-kinds.ts';

test('the palette shows the kinds of each group in the order of work', () => {
  const shown = Object.fromEntries(
    shownGroups.map((group) => [group, buildableKinds.filter((kind) => groupOf(kind) === group)]),
  );
  expect(shown).toMatchObject({ start: ['Inject'], prepress: ['Preflight', 'Fix', 'Impose'] });
});
