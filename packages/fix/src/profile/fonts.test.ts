import type { FixChange, FixReport } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { embedsFonts, fontsEmbedded } from './fonts.ts';

test('a profile embeds fonts by an enabled action that does', () => {
  expect(embedsFonts({ actions: [{ key: 'Repair' }, { key: 'EmbedFonts' }] })).toBe(true);
  expect(
    embedsFonts({
      actions: [{ key: 'Repair' }, { key: 'EmbedFonts', enabled: false }],
    }),
  ).toBe(false);
  expect(embedsFonts({ actions: [{ key: 'FontsOutline' }] })).toBe(false);
});

test('what was embedded is named once, and what other actions changed is not', () => {
  const change = (action: string, after: string | null) => ({ action, after }) as FixChange;
  const changes = [
    change('EmbedFonts', 'LiberationSans'),
    change('EmbedFonts', 'LiberationSans'),
    change('EmbedFonts', null),
    change('MapSpots', 'Gold'),
  ];
  expect(fontsEmbedded({ changes } as FixReport)).toEqual(['LiberationSans']);
});
