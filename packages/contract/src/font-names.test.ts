import { expect, test } from 'vitest';
import { fontNameKey, fontsNamed } from './font-names.ts';

const font = (postScriptName: string, family: string, style: string) => ({
  postScriptName,
  family,
  style,
  fullName: `${family} ${style}`,
});
const library = [
  font('Verdana', 'Verdana', 'Regular'),
  font('Verdana-Bold', 'Verdana', 'Bold'),
  font('TimesNewRomanPS-BoldMT', 'Times New Roman', 'Bold'),
  font('ArialNarrow', 'Arial Narrow', 'Regular'),
  font('ArialMT', 'Arial', 'Regular'),
  font('DejaVuSans-Oblique', 'DejaVu Sans', 'Oblique'),
];

test.each([
  ['Verdana', 'Verdana'],
  ['ABCDEF+Verdana-Bold', 'Verdana-Bold'],
  ['Verdana,Bold', 'Verdana-Bold'],
  ['Verdana Bold', 'Verdana-Bold'],
  ['TimesNewRoman,Bold', 'TimesNewRomanPS-BoldMT'],
  ['TimesNewRoman-Bold', 'TimesNewRomanPS-BoldMT'],
  ['Arial', 'ArialMT'],
  ['DejaVuSans-Italic', 'DejaVuSans-Oblique'],
])('%s is %s', (name, found) => expect(fontsNamed(library, name).map((one) => one.postScriptName)).toEqual([found]));

test.each(['Arial,Bold', 'VerdanaItalic', 'Times', 'ArialNarrow-Bold', ''])('nothing bears the name %s', (name) =>
  expect(fontsNamed(library, name)).toEqual([]),
);

test('the very name comes before those that are written another way', () => {
  const both = [font('Foo,Bold', 'Foo', 'Bold'), font('Foo-Bold', 'Foo', 'Bold')];
  expect(fontsNamed(both, 'Foo-Bold').map(({ postScriptName }) => postScriptName)).toEqual(['Foo-Bold', 'Foo,Bold']);
  expect(fontNameKey('Foo Semi Bold Oblique')).toBe('foosemi bold italic');
});
