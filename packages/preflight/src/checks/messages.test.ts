import { messageOf } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkContracts, checkKeys } from './contracts.ts';

/** Paths of every setting and group, as the message files name them. */
function settingPaths(schema: z.ZodType): string[] {
  type Node = { properties?: Record<string, Node> };
  const paths: string[] = [];
  const walk = (node: Node, path: readonly string[]) => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      // The names of the four edges are in findings/messages.
      if (['left', 'right', 'top', 'bottom'].includes(name)) continue;
      paths.push([...path, name].join('.'));
      walk(child, [...path, name]);
    }
  };
  walk(z.toJSONSchema(schema, { io: 'input' }) as Node, []);
  return paths;
}

test('every check has a label, labels of its settings and two sentences per rule', () => {
  const missing = checkKeys.flatMap((key) => {
    const { messages, settings, rules } = checkContracts[key];
    const codes = [
      'label',
      'help',
      ...settingPaths(settings).map((path) => `settings.${path}.label`),
      ...Object.keys(rules).flatMap((rule) => [`rules.${rule}.customer`, `rules.${rule}.operator`]),
    ];
    return codes.filter((code) => !messageOf(messages, 'en', code)).map((code) => `${key} ${code}`);
  });
  expect(missing).toEqual([]);
});
