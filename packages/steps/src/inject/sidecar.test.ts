import { expect, test } from 'vitest';
import { readSidecar } from './sidecar.ts';

const variables = [{ name: 'Copies' }, { name: 'paper' }, { name: 'box.width' }];
const read = (name: string, text: string) => readSidecar({ name, text }, variables);
const all = { Copies: '500', paper: 'Gloss & matt', 'box.width': '10' };

test.each([
  ['a.json', '{"copies":500,"PAPER":"Gloss & matt","box":{"width":10,"depth":[1]},"other":1,"none":null}'],
  ['a.JSON', '\uFEFF{"copies":"500","paper":"Gloss & matt","box":{"width":"10"}}'],
  ['a.csv', 'copies;paper;box.width\n500;"Gloss & matt";10\n'],
  ['a.csv', '"copies",paper,box.width\r\n500,Gloss & matt,10\r\n\r\n'],
  ['a.csv', 'copies\tpaper\tbox.width\n500\tGloss & matt\t10'],
  [
    'a.xml',
    `<?xml version="1.0" encoding="UTF-8"?><!-- from the shop --><job>
       <copies>5&#48;0</copies><paper><![CDATA[Gloss & matt]]></paper><box width="10"/><other>x</other></job>`,
  ],
  ['a.xml', '<job copies="500" paper="Gloss &amp; matt"><box><width> 10 </width></box></job>'],
])('%s: %j', (name, text) => {
  expect(read(name, text)).toEqual(all);
});

test('names of the product that are handed in with a file are kept, others are not', () => {
  expect(read('a.json', '{"order":{"id":"4711"},"file":{"name":"x"},"copies":""}')).toEqual({ 'order.id': '4711' });
});

test.each([
  ['a.txt', 'copies=5'],
  ['a.json', '{"copies":'],
  ['a.json', '[1]'],
  ['a.json', '"text"'],
  ['a.json', `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`],
  ['a.json', '{"paper":"\uFFFD"}'],
  ['a.csv', ''],
  ['a.csv', 'copies;paper'],
  ['a.csv', 'copies\n1\n2'],
  ['a.csv', 'copies\n"1'],
  ['a.xml', ''],
  ['a.xml', '<job><copies>5</job>'],
  ['a.xml', '<job/><job/>'],
  ['a.xml', '<job>'],
  ['a.xml', '<job copies=5/>'],
  ['a.xml', 'text<job/>'],
  ['a.xml', '<job><copies>&copies;</copies></job>'],
  ['a.xml', '<!DOCTYPE job [<!ENTITY a "aaaa">]><job><copies>&a;</copies></job>'],
  ['a.xml', '<!DOCTYPE job SYSTEM "file:///etc/passwd"><job><copies>5</copies></job>'],
  ['a.xml', `${'<a>'.repeat(30)}${'</a>'.repeat(30)}`],
])('%s with %j is refused', (name, text) => {
  expect(() => read(name, text)).toThrow(
    expect.objectContaining({ problems: [{ code: 'sidecar.invalid', params: { name } }] }),
  );
});

test('more than a page of values is refused, and none takes long to read', () => {
  expect(() => read('a.csv', 'x'.repeat(65_537))).toThrow('sidecar.tooLarge');
  expect(() => read('a.xml', '<!--'.repeat(16_000))).toThrow('sidecar.invalid');
  expect(() => read('a.xml', `<a ${'b="'.repeat(20_000)}`)).toThrow('sidecar.invalid');
  expect(() => read('a.xml', `<a ${' '.repeat(65_000)}`)).toThrow('sidecar.invalid');
});
