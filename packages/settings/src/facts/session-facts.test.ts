import { expect, test } from 'vitest';
import { resolvePlaceholders } from '../placeholders/placeholders.ts';
import { evaluateRules } from '../rules/evaluate-rules.ts';
import { nameKey } from './facts.ts';
import { sessionVariables } from './predefined.ts';
import { sessionFacts } from './session-facts.ts';

const reader = { locale: 'it-IT', unit: 'Millimeters', timeZone: 'Europe/Rome' } as const;
const now = new Date('2026-12-31T23:30:00Z');
const facts = sessionFacts({
  values: {
    'file.name': 'menù.v2.pdf',
    'file.sizeBytes': 2048,
    'pdf.trimWidth': (148 * 72) / 25.4,
    'session.createdAt': new Date('2026-12-31T22:00:00Z'),
    'preflight.result': 'Warning',
  },
  checks: [{ key: 'Bleed', result: 'Error', value: { type: 'Length', value: 2.5 } }],
  variables: [
    {
      name: 'label',
      type: 'String',
      default: '{{file.baseName|upper}}',
      isRequired: false,
      isPublic: false,
      options: [],
    },
  ],
  handed: { label: '{{file.baseName|upper}}', 'file.name': 'spoofed.pdf', Extra: 7 },
  reader,
  now,
});
const say = (text: string) => resolvePlaceholders(text, facts, reader);

test('what can be made from other values is made, in the reader’s unit and time zone', () => {
  expect(say('{{file.name}} {{file.baseName}} {{file.extension}} {{file.sizeText}}')).toBe(
    'menù.v2.pdf menù.v2 pdf 2.00 KB',
  );
  expect(say('{{pdf.trimWidth}} {{pdf.trimUnit}}')).toBe('148 mm');
  expect(say('{{date}} {{time}} {{year}}-{{month}}-{{day}} {{now}} {{session.createdAt|date:HH:mm}}')).toBe(
    '2027-01-01 00:30 2027-01-01 2027-01-01 00:30 23:00',
  );
  expect(say('{{label}} {{extra}} {{order.id}}.')).toBe('MENÙ.V2 7 .');
});

test('every predefined name is there with its type, with a value or without', () => {
  for (const [name, { type }] of Object.entries(sessionVariables)) expect(facts.get(nameKey(name))?.type).toBe(type);
});

test('checks and levels can be asked about', () => {
  const rules = [
    { fact: 'preflight.check.bleed.result', operator: 'is', value: 'Error' },
    { fact: 'preflight.check.Bleed.value', operator: 'less', value: '3mm' },
    { fact: 'preflight.result', operator: 'in', value: ['Warning', 'Error'] },
  ];
  const about = { facts, now, unit: reader.unit, timeZone: reader.timeZone, regular: null };
  expect(evaluateRules({ match: 'all', rules }, about).verdict).toBe(true);
});
