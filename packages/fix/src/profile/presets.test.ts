import { locales } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { messages } from '../log/messages.ts';
import { inversions } from './order.ts';
import { fixPresetOf, fixPresets, fixPresetWords } from './presets.ts';
import { readFixProfile } from './profile.ts';

test.each(fixPresets.map(({ key }) => key))(
  '%s is named in every language, is valid and runs in a safe order',
  (key) => {
    for (const locale of locales) {
      const { name, text } = fixPresetWords(key, locale);
      expect(messages[locale]).toMatchObject({ [`presets.${key}`]: name, [`presets.${key}.text`]: text });
    }
    const profile = fixPresetOf(key)?.profile;
    expect(readFixProfile(profile)).toEqual(profile);
    expect(inversions({ actions: profile?.actions ?? [], order: 'AsListed' })).toEqual([]);
  },
);

test('an unknown key has no preset', () => {
  expect(fixPresetOf('toString')).toBeUndefined();
});
