/** Damaged and misleading file structure. */
import { good, latin1, one, range, text } from './parts.ts';

export function* structure(): Generator<[string, Uint8Array]> {
  const source = text(good);
  const startxref = Number(/startxref\n(\d+)/.exec(source)?.[1]);
  yield ['xref-prev-self', latin1(source.replace('/Root', `/Prev ${startxref} /Root`))];
  yield ['xref-prev-negative', latin1(source.replace('/Root', '/Prev -5 /Root'))];
  yield ['xref-prev-beyond', latin1(source.replace('/Root', '/Prev 99999999999 /Root'))];
  yield ['xref-stm-self', latin1(source.replace('/Root', `/XRefStm ${startxref} /Root`))];
  yield ['xref-count-huge', latin1(source.replace(/xref\n0 \d+/, 'xref\n0 2147483647'))];
  yield ['xref-start-huge', latin1(source.replace(/xref\n0 /, 'xref\n4294967290 '))];
  yield ['size-huge', latin1(source.replace(/\/Size \d+/, '/Size 2147483647'))];
  yield ['root-missing', latin1(source.replace('/Root 1 0 R', ''))];
  yield ['root-self', latin1(source.replace('/Root 1 0 R', '/Root 999 0 R'))];
  yield ['root-is-number', latin1(source.replace('/Root 1 0 R', '/Root 42'))];
  yield ['no-xref', latin1(source.slice(0, source.lastIndexOf('xref\n0')))];
  yield ['offsets-all-same', latin1(source.replace(/\d{10} 00000 n/g, '0000000015 00000 n'))];
  yield ['generation-huge', latin1(source.replace(/ 00000 n/g, ' 65535 n'))];
  yield ['header-only', latin1('%PDF-1.7\n')];
  yield ['header-and-eof', latin1('%PDF-1.7\n%%EOF')];
  yield ['nothing-but-spaces', latin1(' '.repeat(100_000))];
  yield ['nothing-but-obj', latin1(`%PDF-1.7\n${'1 0 obj\n'.repeat(50_000)}`)];
  yield ['nothing-but-stream', latin1(`%PDF-1.7\n1 0 obj << /Length 1 >>\n${'stream\n'.repeat(20_000)}`)];
  yield ['same-object-often', latin1(`%PDF-1.7\n${range(5000, (i) => `1 0 obj << /A ${i} >> endobj\n`).join('')}`)];
  yield ['reference-loop', one({}, { 50: '51 0 R', 51: '50 0 R' }, { catalog: '/Outlines 50 0 R /Names 51 0 R' })];
  yield ['reference-self', one({}, { 50: '50 0 R' }, { catalog: '/AcroForm 50 0 R' })];
  yield ['length-loop', one({}, { 50: { dict: '/Length 50 0 R', data: 'x' } }, { catalog: '/Metadata 50 0 R' })];
  yield ['length-huge', one({}, { 50: { dict: '/Length 2147483647', data: 'x' } }, { catalog: '/Metadata 50 0 R' })];
  yield ['length-negative', one({}, { 50: { dict: '/Length -1', data: 'x' } }, { catalog: '/Metadata 50 0 R' })];
  yield [
    'object-stream-self',
    one({}, { 50: { dict: '/Type /ObjStm /N 1 /First 5 /Extends 50 0 R', data: '50 0 << >>' } }),
  ];
  yield ['incremental-3000', incremental(3000)];
  yield ['hybrid', latin1(source.replace('/Root', '/XRefStm 20 /Root'))];
  yield [
    'linearized-lie',
    latin1(
      source.replace(
        '%\xe2',
        '9 0 obj << /Linearized 1 /L 99999999 /H [1 2] /O 9 /E 9 /N 2000000000 /T 9 >> endobj\n%\xe2',
      ),
    ),
  ];
  for (let tenth = 1; tenth < 10; tenth += 1) yield [`cut-${tenth}0`, good.subarray(0, (good.length * tenth) / 10)];
  yield ['polyglot-zip', Buffer.concat([latin1('PK\x03\x04'), good])];
  yield ['polyglot-html', Buffer.concat([latin1('<html><script>alert(1)</script>'), good])];
  yield ['polyglot-png', Buffer.concat([latin1('\x89PNG\r\n\x1a\n'), good])];
  yield ['polyglot-shell', Buffer.concat([latin1('#!/bin/sh\nrm -rf /\n'), good])];
  yield ['header-late', Buffer.concat([Buffer.alloc(1000, 32), good])];
  yield ['header-too-late', Buffer.concat([Buffer.alloc(5000, 32), good])];
  yield ['trailing-megabyte', Buffer.concat([good, Buffer.alloc(1 << 20)])];
  yield ['zeros-between', Buffer.concat([good.subarray(0, 200), Buffer.alloc(1 << 16), good.subarray(200)])];
}

function incremental(count: number): Uint8Array {
  const parts = [text(good)];
  let offset = good.length;
  let previous = Number(/startxref\n(\d+)/.exec(text(good))?.[1]);
  for (let i = 0; i < count; i += 1) {
    const object = `90 0 obj << /I ${i} >> endobj\n`;
    const xref = offset + object.length;
    const part = `${object}xref\n90 1\n${String(offset).padStart(10, '0')} 00000 n \ntrailer << /Size 91 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${xref}\n%%EOF\n`;
    parts.push(part);
    previous = xref;
    offset += part.length;
  }
  return latin1(parts.join(''));
}
