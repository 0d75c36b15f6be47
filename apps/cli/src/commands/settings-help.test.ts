/** `--help` of every layout, fix and check lists each of its settings with a type and a label. */
import { imposeLayouts } from '@pdf2press/contract';
import { describeFix, fixKeys } from '@pdf2press/fix/contracts';
import { describeLayout } from '@pdf2press/impose/contracts';
import { checkKeys, describeCheck } from '@pdf2press/preflight/contracts';
import { expect, test, vi } from 'vitest';
import { settingsHelp } from './settings-help.ts';

const unit = 'Millimeters';
const kinds = [
  ...imposeLayouts.map((key) => describeLayout(key, 'en', unit)),
  ...fixKeys.map((key) => describeFix(key, 'en', unit)),
  ...checkKeys.map((key) => describeCheck(key, 'en', unit)),
];

test.each(kinds)('$key', (kind) => {
  const { parameters } = kind;
  // A type that the describer does not know is called a value.
  expect(parameters.filter(({ type, shape }) => /value/.test(type) || /<value>/.test(shape ?? ''))).toEqual([]);
  expect(parameters.filter(({ label }) => label === '')).toEqual([]);
  const help = settingsHelp(kind);
  for (const { name, initial, allowed } of parameters) {
    expect(help).toContain(`  ${name}=${initial}`);
    expect(help).toContain(allowed);
  }
});

const told = async (module: Promise<{ run: (args: string[]) => Promise<number> }>, args: string[]) => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const code = await (await module).run(args);
    return { code, text: [...print.mock.calls, ...complain.mock.calls].join('\n') };
  } finally {
    print.mockRestore();
    complain.mockRestore();
  }
};

test.each([
  ['impose', () => import('./impose.ts'), ['--layout', 'cut-and-stack', '--help'], 'stackDepth'],
  ['fix', () => import('./fix.ts'), ['--action', 'mapspots', '--help'], '[{"from": <text>'],
  ['preflight', () => import('./preflight.ts'), ['--check', 'bleed', '-h'], 'required.left=3mm'],
] as const)('%s tells the settings of the kind that is named', async (_, module, args, expected) => {
  const { code, text } = await told(module(), [...args]);
  expect(code).toBe(0);
  expect(text.toLowerCase()).toContain(expected.toLowerCase());
  const without = await told(module(), ['--help']);
  expect([without.code, without.text.startsWith('usage: ')]).toEqual([0, true]);
});

test.each([
  ['impose', () => import('./impose.ts'), ['--layout', 'none', '--help'], /^USAGE --layout: none \(step-n-repeat/],
  ['fix', () => import('./fix.ts'), ['--action', 'none', '--help'], /^USAGE --action: none \(/],
  ['preflight', () => import('./preflight.ts'), ['--check', 'none', '--help'], /^USAGE --check: none \(/],
  ['preflight', () => import('./preflight.ts'), ['a.pdf', '--check', 'Bleed'], /^USAGE --check: with --help only/],
] as const)('%s refuses a kind that there is not', async (_, module, args, message) => {
  const { code, text } = await told(module(), [...args]);
  expect(code).toBe(2);
  expect(text).toMatch(message);
});
