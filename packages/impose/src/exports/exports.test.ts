import type { LayoutPage, Plan } from '@pdf2press/contract';
import { describe, expect, test } from 'vitest';
import { planOf, readImposeProfile } from '../profile/profile.ts';
import { planToJdf } from './jdf.ts';
import { planToXjdf } from './xjdf.ts';

/* Elements, attributes and their order as JDF 1.5 and XJDF 2.1 define them. */

const mm = 72 / 25.4;
const page: LayoutPage = {
  media: { x: 0, y: 0, width: 111 * mm, height: 156 * mm },
  trim: { x: 4 * mm, y: 5 * mm, width: 105 * mm, height: 148 * mm },
  bleed: { x: 1 * mm, y: 2 * mm, width: 109 * mm, height: 154 * mm },
  hasBleedBox: true,
  hasTrimBox: true,
};
const pages = new Array<LayoutPage>(16).fill(page);
const job = { id: 'ses 1/ü', fileName: 'a book & more.pdf' };

function planFor(profile: Record<string, unknown>): Plan {
  const read = readImposeProfile({ sheet: '1000x1000mm', ...profile });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const made = planOf({ pages }, read.profile);
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  return made.plan;
}

const plans: [string, Plan][] = [
  ['a folded section', planFor({ type: 'SaddleStitch', signatureSize: 8, creep: { paperThickness: '0.2mm' } })],
  [
    'a grid of turned pages',
    planFor({ type: 'CutAndStack', rows: 2, columns: 2, rotation: 90, duplex: true, workStyle: 'Perfecting' }),
  ],
  ['stations of a die', planFor({ type: 'DieCut', duplex: false, pages: '1' })],
  ['sections of a perfect-bound book', planFor({ type: 'PerfectBound', signatureSize: 8, sheetsPerSection: 1 })],
  [
    'a bottled section',
    planFor({
      type: 'PerfectBound',
      signatureSize: 8,
      bottling: { outermost: 0.1, innermost: -0.25, axis: 'FaceHead' },
    }),
  ],
  ['pages in sequence', planFor({ type: 'DownAcross', rows: 2, columns: 2, duplex: true })],
  ['one piece repeated', planFor({ type: 'StepNRepeat', workStyle: 'WorkAndTurn', duplex: true, rows: 2, columns: 2 })],
];

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
}

/** Parses the XML that `element` writes; throws on anything else. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  for (const [, close, name = '', list = '', empty] of xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .matchAll(/<(\/)?([\w]+)((?:\s+\w+="[^"<]*")*)\s*(\/)?>/g)) {
    if (close) {
      expect(open.pop()?.name).toBe(name);
      continue;
    }
    const attributes = Object.fromEntries([...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    const made: Element = { name, attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)?.children.push(made);
    if (!empty) open.push(made);
  }
  expect(open).toHaveLength(1);
  return root.children[0] as Element;
}

const all = (element: Element): Element[] => [element, ...element.children.flatMap(all)];
const named = (element: Element, name: string) => all(element).filter((one) => one.name === name);

/** Attributes, and child elements in order, from the schemas of both formats; only what an imposition uses. */
const placed = ['CTM', 'ClipBox', 'ClipPath', 'Ord', 'TrimCTM', 'TrimSize'];
type Words = Readonly<Record<string, { attributes: readonly string[]; children: readonly string[] }>>;
const xjdfWords: Words = {
  XJDF: { attributes: ['JobID', 'JobPartID', 'Types', 'Version', 'xmlns'], children: ['ResourceSet'] },
  ResourceSet: { attributes: ['Name', 'Usage', 'ID'], children: ['Resource'] },
  Resource: { attributes: ['ID'], children: ['Part', 'RunList', 'BinderySignature', 'Layout'] },
  Part: { attributes: ['SheetName', 'Side', 'BinderySignatureID'], children: [] },
  RunList: { attributes: ['NPage', 'Pages'], children: ['FileSpec'] },
  FileSpec: { attributes: ['URL', 'MimeType'], children: [] },
  BinderySignature: {
    attributes: ['BinderySignatureType', 'BindingOrientation', 'FoldCatalog', 'NumberUp'],
    children: ['SignatureCell'],
  },
  SignatureCell: {
    attributes: [
      ...['BackPages', 'BottleAngle', 'BottleAxis', 'FrontPages', 'Orientation', 'Sides', 'StationName', 'TrimSize'],
    ],
    children: [],
  },
  Layout: { attributes: ['SurfaceContentsBox', 'WorkStyle'], children: ['PlacedObject', 'Position'] },
  PlacedObject: { attributes: placed, children: ['ContentObject'] },
  ContentObject: { attributes: [], children: [] },
  Position: { attributes: ['AbsoluteBox', 'RelativeBox', 'BinderySignatureID'], children: [] },
};
const resource = ['ID', 'Class', 'Status', 'PartIDKeys'];
const jdfWords: Words = {
  JDF: {
    attributes: ['ID', 'JobID', 'JobPartID', 'Type', 'Types', 'Status', 'Version', 'xmlns'],
    children: ['ResourcePool', 'ResourceLinkPool'],
  },
  ResourcePool: { attributes: [], children: ['RunList', 'StrippingParams', 'Layout'] },
  RunList: { attributes: [...resource, 'NPage'], children: ['LayoutElement'] },
  LayoutElement: { attributes: [], children: ['FileSpec'] },
  FileSpec: { attributes: ['URL', 'MimeType'], children: [] },
  StrippingParams: {
    attributes: [...resource, 'SheetName', 'WorkStyle'],
    children: ['StrippingParams', 'BinderySignature', 'Position', 'StripCellParams'],
  },
  BinderySignature: {
    attributes: ['BinderySignatureType', 'BindingEdge', 'FoldCatalog', 'NumberUp'],
    children: ['SignatureCell'],
  },
  SignatureCell: {
    attributes: ['BackPages', 'BottleAngle', 'BottleAxis', 'FrontPages', 'Orientation', 'StationName'],
    children: [],
  },
  Position: { attributes: ['RelativeBox'], children: [] },
  StripCellParams: { attributes: ['TrimSize', 'Sides'], children: [] },
  Layout: {
    attributes: [...resource, 'SheetName', 'Side', 'SurfaceContentsBox'],
    children: ['Layout', 'ContentObject'],
  },
  ContentObject: { attributes: placed, children: [] },
  ResourceLinkPool: { attributes: [], children: ['RunListLink', 'StrippingParamsLink', 'LayoutLink'] },
  RunListLink: { attributes: ['rRef', 'Usage'], children: [] },
  StrippingParamsLink: { attributes: ['rRef', 'Usage'], children: [] },
  LayoutLink: { attributes: ['rRef', 'Usage'], children: [] },
};

function followsWords(root: Element, words: Words): void {
  for (const { name, attributes, children } of all(root)) {
    const known = words[name];
    expect([name, known !== undefined]).toEqual([name, true]);
    for (const attribute of Object.keys(attributes))
      expect([name, known?.attributes]).toEqual([name, expect.arrayContaining([attribute])]);
    const order = children.map((child) => known?.children.indexOf(child.name) ?? -1);
    expect(order.every((index, at) => index >= 0 && index >= (order[at - 1] ?? 0))).toBe(true);
  }
}

const numbersOf = (text = ''): number[] => text.split(' ').map(Number);
const apply = ([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: number[], x: number, y: number) =>
  [a * x + c * y + e, b * x + d * y + f] as const;

/** The corners of a rectangle transformed by a matrix. */
function mapped(matrix: number[], [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: number[]): number[] {
  const [one, other] = [apply(matrix, x0, y0), apply(matrix, x1, y1)];
  const [xs, ys] = [
    [one[0], other[0]],
    [one[1], other[1]],
  ];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function near(found: number[], wanted: number[]): void {
  expect(Math.max(...found.map((value, index) => Math.abs(value - (wanted[index] ?? Number.NaN))))).toBeLessThan(0.01);
}

describe.each(plans)('%s', (_name, plan) => {
  const xjdf = parse(planToXjdf(plan, pages, job));
  const jdf = parse(planToJdf(plan, pages, job));

  test('has only elements and attributes of the format', () => {
    followsWords(xjdf, xjdfWords);
    followsWords(jdf, jdfWords);
    expect(xjdf.attributes).toMatchObject({ xmlns: 'http://www.CIP4.org/JDFSchema_2_0', Version: '2.1' });
    expect(jdf.attributes).toMatchObject({ xmlns: 'http://www.CIP4.org/JDFSchema_1_1', Version: '1.5' });
    for (const root of [xjdf, jdf]) expect(root.attributes.JobID).toMatch(/^[\p{L}\p{N}._:-]+$/u);
  });

  test('every reference has a target', () => {
    const signatures = named(xjdf, 'Part').flatMap(({ attributes }) => attributes.BinderySignatureID ?? []);
    expect(new Set(signatures).size).toBe(plan.sheets.length);
    for (const { attributes } of named(xjdf, 'Position')) expect(signatures).toContain(attributes.BinderySignatureID);
    const ids = all(jdf).flatMap(({ attributes }) => attributes.ID ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { attributes } of all(jdf)) if (attributes.rRef) expect(ids).toContain(attributes.rRef);
    for (const { attributes } of [...named(xjdf, 'PlacedObject'), ...named(jdf, 'ContentObject')]) {
      expect(Number(attributes.Ord)).toBeLessThan(plan.pageCount);
    }
  });

  test('every page is placed as in the plan, relative to the corner of its MediaBox', () => {
    const cells = plan.sheets.flatMap(({ front, back }) => [...front.cells, ...(back?.cells ?? [])]);
    const shown = cells.filter((cell) => cell.page > 0);
    for (const objects of [
      named(xjdf, 'PlacedObject'),
      named(jdf, 'ContentObject').filter((one) => one.attributes.CTM),
    ]) {
      expect(objects).toHaveLength(shown.length);
      objects.forEach(({ attributes }, index) => {
        const cell = shown[index];
        if (!cell) throw new Error('more objects than cells');
        const rect = [cell.x, cell.y, cell.x + cell.width, cell.y + cell.height];
        const [width = 0, height = 0] = numbersOf(attributes.TrimSize);
        near(mapped(numbersOf(attributes.TrimCTM), [0, 0, width, height]), rect);
        const { trim } = page;
        // What turns back a bottled page about the corner that stays.
        const { angle, x, y } = cell.bottle ?? { angle: 0, x: 0, y: 0 };
        const [sin, cos] = [Math.sin((-angle * Math.PI) / 180), Math.cos((-angle * Math.PI) / 180)];
        const ctm = numbersOf(attributes.CTM);
        const straight = (px: number, py: number) => {
          const [tx, ty] = apply(ctm, px, py);
          return [x + (tx - x) * cos - (ty - y) * sin, y + (tx - x) * sin + (ty - y) * cos] as const;
        };
        const [low, high] = [straight(trim.x, trim.y), straight(trim.x + trim.width, trim.y + trim.height)];
        const placedTrim = [
          ...[Math.min(low[0], high[0]), Math.min(low[1], high[1])],
          ...[Math.max(low[0], high[0]), Math.max(low[1], high[1])],
        ];
        const creep = [cell.shift.x, cell.shift.y, cell.shift.x, cell.shift.y];
        near(
          placedTrim,
          rect.map((value, edge) => value + (creep[edge] ?? 0)),
        );
        expect(Number(attributes.Ord)).toBe(cell.page - 1);
      });
    }
  });
});

test('angle and corner of bottling stand at each cell, as seen on the front', () => {
  const plan = plans.find(([name]) => name === 'a bottled section')?.[1];
  if (!plan) throw new Error('no bottled section');
  for (const made of [planToXjdf(plan, pages, job), planToJdf(plan, pages, job)]) {
    const cells = named(parse(made), 'SignatureCell').slice(0, 4);
    expect(cells.map(({ attributes }) => [attributes.FrontPages, attributes.BottleAngle])).toEqual(
      // Pages 5, 4, 8 and 1: the outer leaf pair leans to the spine, the inner one away from it.
      [
        ['4', '-0.25'],
        ['3', '0.25'],
        ['7', '-0.1'],
        ['0', '0.1'],
      ],
    );
    expect(new Set(cells.map(({ attributes }) => attributes.BottleAxis))).toEqual(new Set(['FaceHead']));
  }
});
