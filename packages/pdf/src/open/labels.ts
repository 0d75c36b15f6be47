import { pdfText } from './text-string.ts';
import { isArray, isDict, isName, isString, type PdfDict, type PdfValue } from './values.ts';

interface LabelRange {
  start: number;
  style: string;
  prefix: string;
  first: number;
}

type Resolve = (value: PdfValue | undefined) => PdfValue;

/** The label of each page (ISO 32000-1, 12.4.2); the page number for pages without one. */
export function pageLabels(catalog: PdfDict, count: number, resolve: Resolve): string[] {
  const ranges: LabelRange[] = [];
  collect(resolve(catalog.map.get('PageLabels')), resolve, ranges, 0);
  if (ranges.length === 0) return Array.from({ length: count }, (_, index) => String(index + 1));
  ranges.sort((a, b) => a.start - b.start);
  const labels: string[] = [];
  let at = -1;
  for (let index = 0; index < count; index += 1) {
    while ((ranges[at + 1]?.start ?? Infinity) <= index) at += 1;
    const range = ranges[at];
    labels.push(range ? range.prefix + numeral(range.style, range.first + index - range.start) : String(index + 1));
  }
  return labels;
}

/**
 * Collects the leaves of a number tree (ISO 32000-1, 7.9.7). Depth and size are limited because a damaged tree can be
 * circular.
 */
function collect(node: PdfValue, resolve: Resolve, ranges: LabelRange[], depth: number): void {
  if (!isDict(node) || depth > 20 || ranges.length > 10_000) return;
  const nums = resolve(node.map.get('Nums'));
  if (isArray(nums)) {
    for (let i = 0; i + 1 < nums.length; i += 2) {
      const start = resolve(nums[i]);
      const label = resolve(nums[i + 1]);
      if (typeof start === 'number' && isDict(label)) ranges.push(readRange(start, label, resolve));
    }
  }
  const kids = resolve(node.map.get('Kids'));
  if (isArray(kids)) for (const kid of kids) collect(resolve(kid), resolve, ranges, depth + 1);
}

function readRange(start: number, label: PdfDict, resolve: Resolve): LabelRange {
  const style = resolve(label.map.get('S'));
  const prefix = resolve(label.map.get('P'));
  const first = resolve(label.map.get('St'));
  return {
    start,
    style: isName(style) ? style.name : '',
    prefix: isString(prefix) ? pdfText(prefix.bytes) : '',
    first: typeof first === 'number' && first >= 1 ? first : 1,
  };
}

const romanParts: readonly [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function roman(value: number): string {
  // A larger numeral would be a long row of m.
  if (value > 10_000) return String(value);
  let rest = value;
  let text = '';
  for (const [worth, letters] of romanParts) {
    while (rest >= worth) {
      text += letters;
      rest -= worth;
    }
  }
  return text;
}

/** a to z, then aa to zz, then aaa … (ISO 32000-1, table 159). */
function letters(value: number): string {
  const count = Math.min(Math.floor((value - 1) / 26) + 1, 100);
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(count);
}

function numeral(style: string, value: number): string {
  switch (style) {
    case 'D':
      return String(value);
    case 'R':
      return roman(value).toUpperCase();
    case 'r':
      return roman(value);
    case 'A':
      return letters(value).toUpperCase();
    case 'a':
      return letters(value);
    default:
      return '';
  }
}
