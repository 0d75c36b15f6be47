import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Inspection, Plan } from '@pdf2press/contract';
import { describe, expect, test } from 'vitest';
import { runStep } from '../../runners.ts';
import type { StepContext } from '../../step.ts';
import type { StepTools } from '../../step-runner.ts';

/* Elements, attributes and the order of elements as the schemas of JDF 1.5 and XJDF 2.1 have them, where a ticket uses them. */

const page = (number: number, inks: string[], rotate = 0) => ({
  number,
  label: String(number),
  effective: { media: [0, 0, 210, 320], crop: [0, 0, 210, 320], bleed: [1, 2, 209, 318], trim: [10, 10, 200, 310] },
  rotate,
  userUnit: number === 1 ? 1 : 2,
  inks,
});
const inspection = {
  pageCount: 2,
  pages: [page(1, ['Cyan', 'PANTONE 185 C'], 90), page(2, ['Black'])],
  inks: [
    { name: 'PANTONE 185 C', used: true },
    { name: 'Dieline', used: false },
  ],
} as unknown as Inspection;
const plan = {
  pageCount: 8,
  sheets: [
    {
      number: 1,
      width: 900,
      height: 640,
      workStyle: 'Sheetwise',
      front: { cells: [{ rotation: 90, width: 300, height: 200 }] },
    },
  ],
} as unknown as Plan;

const evil = "\"/><x a='1'>&amp;\u0001\ud800]]>\n<!-- é 漢 ";

async function ticketOf(settings: object, { isImposed = false, variables = {} as object } = {}) {
  const workDir = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-ticket-'));
  const file = path.join(workDir, 'in.pdf');
  await writeFile(file, 'abc');
  const variable = (name: string, type: string) => ({
    name,
    type,
    default: null,
    isRequired: false,
    isPublic: false,
    options: [],
  });
  const context = {
    settings: { does: 'ticket', ...settings },
    step: { id: 'stp_1', kind: 'Action', name: '' },
    session: {
      ...{ id: 'ses_1', createdAt: new Date(0), runNo: 1, variables, previous: {} },
      ...{ result: 'Warning', errorCount: 0, warningCount: 3 },
    },
    workflow: {
      ...{ id: 'wfl_1', name: 'W', version: 1 },
      variables: [variable('who', 'String'), variable('copies', 'Number')],
    },
    reader: { locale: 'de', unit: 'Millimeters', timeZone: 'UTC' },
    now: new Date('2026-11-23T08:00:00Z'),
    file: { id: 'fil_1', name: 'a #1 & "b".pdf', size: 3, path: file, sha256: 'ab'.repeat(32) },
    original: { name: 'a.pdf' },
    workDir,
    readMade: async (role: string) => (role === 'plan' && isImposed ? plan : undefined),
  };
  const tools = { progress: () => undefined, runTask: async () => inspection };
  // Only what a ticket reads.
  const ran = await runStep(context as unknown as StepContext, tools as unknown as StepTools);
  const [made] = ('files' in ran && ran.files) || [];
  return { ran, made, xml: made ? await readFile(path.join(workDir, made.path), 'utf8') : '' };
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  quot: '"',
  '#9': '\t',
  '#10': '\n',
  '#13': '\r',
};

/** Reads XML that has elements and attributes only; fails at anything that is not well-formed. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  const left = xml
    .replace(/^<\?xml version="1.0" encoding="UTF-8"\?>/, '')
    .replace(/<(\/)?([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/)?>/g, (_, close, name, list: string, empty) => {
      if (close) expect(open.pop()?.name).toBe(name);
      else {
        const attributes = Object.fromEntries(
          [...list.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
            key,
            value.replace(/&([^;]*);?/g, (all, entity: string) => entities[entity] ?? expect.fail(all)),
          ]),
        );
        const made = { name, attributes, children: [] };
        open.at(-1)?.children.push(made);
        if (!empty) open.push(made);
      }
      return '';
    });
  expect(left.trim()).toBe('');
  expect(open).toHaveLength(1);
  expect(root.children).toHaveLength(1);
  return root.children[0] as Element;
}
const all = (element: Element): Element[] => [element, ...element.children.flatMap(all)];
const named = (element: Element, name: string) => all(element).filter((one) => one.name === name);
const attributesOf = (element: Element, name: string) => named(element, name).map(({ attributes }) => attributes);

type Words = Readonly<Record<string, { attributes: string; children?: string }>>;
const source = 'HasBleeds PageLabel SourceBleedBox SourceClipBox SourceTrimBox';
const fileSpec = 'CheckSum FileSize MimeType URL UserFileName';
const xjdfWords: Words = {
  XJDF: {
    attributes: 'xmlns DescriptiveName JobID Types Version',
    children: 'AuditPool GeneralID ProductList ResourceSet',
  },
  AuditPool: { attributes: '', children: 'AuditCreated' },
  AuditCreated: { attributes: '', children: 'Header' },
  Header: { attributes: 'AgentName AgentVersion DeviceID Time' },
  GeneralID: { attributes: 'IDUsage IDValue' },
  ProductList: { attributes: '', children: 'Product' },
  Product: { attributes: 'Amount DescriptiveName ID IsRoot', children: 'Intent' },
  Intent: { attributes: 'Name', children: 'ColorIntent LayoutIntent' },
  ColorIntent: { attributes: '', children: 'SurfaceColor' },
  SurfaceColor: { attributes: 'ColorsUsed Surface' },
  LayoutIntent: { attributes: 'Bleed FinishedDimensions Pages' },
  ResourceSet: { attributes: 'Name Usage', children: 'Resource' },
  Resource: { attributes: '', children: 'Part Color Content CustomerInfo Layout RunList' },
  Part: { attributes: 'PageNumber Separation SheetName' },
  Color: { attributes: 'ActualColorName' },
  Content: { attributes: `${source} ContentType Separations` },
  CustomerInfo: { attributes: 'CustomerID CustomerJobName CustomerOrderID' },
  Layout: { attributes: 'SurfaceContentsBox WorkStyle' },
  RunList: { attributes: 'NPage', children: 'FileSpec' },
  FileSpec: { attributes: fileSpec },
};
const resource = 'ID Class Status';
const link = { attributes: 'rRef Usage Amount' };
const jdfWords: Words = {
  JDF: {
    attributes: 'xmlns xmlns:xsi xsi:type DescriptiveName ID JobID Status Type Version',
    children: 'GeneralID AuditPool ResourcePool ResourceLinkPool',
  },
  GeneralID: { attributes: 'IDUsage IDValue' },
  AuditPool: { attributes: '', children: 'Created' },
  Created: { attributes: 'AgentName AgentVersion ID TimeStamp' },
  ResourcePool: {
    attributes: '',
    children: 'CustomerInfo PageList RunList Layout LayoutIntent ColorIntent ArtDeliveryIntent Component',
  },
  CustomerInfo: { attributes: `${resource} CustomerID CustomerJobName CustomerOrderID` },
  PageList: { attributes: resource, children: 'PageData' },
  PageData: { attributes: source, children: 'SeparationSpec' },
  SeparationSpec: { attributes: 'Name' },
  RunList: { attributes: `${resource} NPage`, children: 'LayoutElement' },
  LayoutElement: { attributes: 'ElementType HasBleeds', children: 'FileSpec PageListRef' },
  FileSpec: { attributes: fileSpec },
  PageListRef: { attributes: 'rRef' },
  Layout: { attributes: `${resource} PartIDKeys SheetName SurfaceContentsBox`, children: 'Layout' },
  LayoutIntent: { attributes: resource, children: 'FinishedDimensions Pages LayoutRef' },
  FinishedDimensions: { attributes: 'DataType Preferred' },
  Pages: { attributes: 'DataType Preferred' },
  LayoutRef: { attributes: 'rRef' },
  ColorIntent: { attributes: resource, children: 'ColorsUsed' },
  ColorsUsed: { attributes: '', children: 'SeparationSpec' },
  ArtDeliveryIntent: { attributes: resource, children: 'ArtDelivery' },
  ArtDelivery: { attributes: 'ArtDeliveryType', children: 'RunListRef' },
  RunListRef: { attributes: 'rRef' },
  Component: { attributes: `${resource} ComponentType DescriptiveName` },
  ResourceLinkPool: {
    attributes: '',
    children: 'CustomerInfoLink LayoutIntentLink ColorIntentLink ArtDeliveryIntentLink ComponentLink',
  },
  CustomerInfoLink: link,
  LayoutIntentLink: link,
  ColorIntentLink: link,
  ArtDeliveryIntentLink: link,
  ComponentLink: link,
};

function followsWords(root: Element, words: Words): void {
  for (const { name, attributes, children } of all(root)) {
    const known = words[name];
    if (!known) expect.fail(name);
    for (const attribute of Object.keys(attributes))
      expect([name, ...known.attributes.split(' ')]).toContain(attribute);
    const order = children.map((child) => (known.children ?? '').split(' ').indexOf(child.name));
    expect(
      order.every((index, at) => index >= 0 && index >= (order[at - 1] ?? 0)),
      name,
    ).toBe(true);
  }
}

const formats = [
  ['XJDF', xjdfWords, '.xjdf', 'application/vnd.cip4-xjdf+xml'],
  ['JDF', jdfWords, '.jdf', 'application/vnd.cip4-jdf+xml'],
] as const;

describe.each(formats)('%s', (ticketFormat, words, extension, mediaType) => {
  test.each([false, true])(
    'is well-formed and has only words of the standard, whatever the values (imposed: %s)',
    async (isImposed) => {
      const settings = {
        ticketFormat,
        jobId: '{{who}}',
        jobName: '{{who}}',
        customer: '{{who}}',
        order: '{{who}}',
        copies: '{{copies}}',
      };
      const { made, xml } = await ticketOf(settings, { isImposed, variables: { who: evil, copies: 2500 } });
      expect(made).toMatchObject({
        kind: 'Others',
        name: `a #1 & "b"${extension}`,
        mediaType,
        meta: { role: 'ticket', of: 'fil_1' },
      });
      const root = parse(xml);
      followsWords(root, words);
      // One line, and without the characters that XML cannot hold.
      expect(root.attributes.DescriptiveName).toBe(`"/><x a='1'>&amp; ]]> <!-- é 漢`);
      expect(attributesOf(root, 'CustomerInfo')[0]?.CustomerOrderID).toContain('&amp; ]]>');
      if (ticketFormat === 'XJDF') expect(root.attributes.JobID).toMatch(/^[\p{L}\p{Nd}._:-]+$/u);
      expect(attributesOf(root, 'FileSpec')).toEqual([
        {
          CheckSum: '900150983CD24FB0D6963F7D28E17F72',
          FileSize: '3',
          MimeType: 'application/pdf',
          URL: 'a%20%231%20%26%20%22b%22.pdf',
          UserFileName: 'a #1 & "b".pdf',
        },
      ]);
      expect(attributesOf(root, 'GeneralID')).toEqual(
        expect.arrayContaining([
          { IDUsage: 'SHA-256', IDValue: 'ab'.repeat(32) },
          { IDUsage: 'PreflightWarnings', IDValue: '3' },
          { IDUsage: 'copies', IDValue: '2500' },
        ]),
      );
      const ids = all(root).flatMap(({ attributes }) => attributes.ID ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { attributes } of all(root)) if (attributes.rRef) expect(ids).toContain(attributes.rRef);
    },
  );

  test('a file without customer, inks and variables is told as well', async () => {
    const { xml } = await ticketOf({ ticketFormat, jobId: '{{who}}' });
    const root = parse(xml);
    followsWords(root, words);
    expect(root.attributes.JobID).toBe('ses_1');
    expect(all(root).some(({ attributes }) => 'Amount' in attributes)).toBe(false);
  });
});

test('sizes are points: of the page as it is seen, and of its boxes as they stand in the file', async () => {
  const root = parse((await ticketOf({})).xml);
  expect(attributesOf(root, 'LayoutIntent')).toEqual([{ Bleed: '8', FinishedDimensions: '300 190 0', Pages: '2' }]);
  expect(attributesOf(root, 'Content')).toMatchObject([
    {
      PageLabel: '1',
      SourceTrimBox: '10 10 200 310',
      SourceBleedBox: '1 2 209 318',
      Separations: 'Cyan PANTONE-185-C',
    },
    { PageLabel: '2', SourceTrimBox: '20 20 400 620', SourceBleedBox: '2 4 418 636', Separations: 'Black' },
  ]);
  expect(attributesOf(root, 'SurfaceColor')).toEqual([
    { ColorsUsed: 'Cyan PANTONE-185-C', Surface: 'Front' },
    { ColorsUsed: 'Black', Surface: 'Back' },
  ]);
  expect(attributesOf(root, 'Color')).toEqual([{ ActualColorName: 'PANTONE 185 C' }]);
});

test('of an imposed file the sheets are told, and the piece that its cells show', async () => {
  const xjdf = parse((await ticketOf({}, { isImposed: true })).xml);
  expect(attributesOf(xjdf, 'LayoutIntent')).toMatchObject([{ FinishedDimensions: '200 300 0', Pages: '8' }]);
  expect(attributesOf(xjdf, 'Layout')).toEqual([{ SurfaceContentsBox: '0 0 900 640', WorkStyle: 'WorkAndBack' }]);
  const jdf = parse((await ticketOf({ ticketFormat: 'JDF' }, { isImposed: true })).xml);
  expect(attributesOf(jdf, 'Layout')[1]).toEqual({ SheetName: 'Sheet1', SurfaceContentsBox: '0 0 900 640' });
  expect(attributesOf(jdf, 'Pages')).toEqual([{ DataType: 'IntegerSpan', Preferred: '8' }]);
});

test('copies that are no number make no ticket: the step fails, or goes on with a warning', async () => {
  const variables = { who: '0' };
  expect((await ticketOf({ copies: '{{who}}' }, { variables })).ran).toMatchObject({
    end: 'failure',
    failure: { code: 'ACTION_COPIES_NO_NUMBER', params: { text: '0' } },
  });
  const { ran, made } = await ticketOf({ copies: '{{who}}', onError: 'warn' }, { variables });
  expect(ran).toMatchObject({
    end: 'outcome',
    level: 'Warning',
    summary: { problem: { code: 'ACTION_COPIES_NO_NUMBER' } },
  });
  expect(made).toBeUndefined();
});
