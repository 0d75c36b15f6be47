/* Files that a step delivers: its settings, and what becomes of them. */
import { cleanStem, deliveryCollisions, type StepReference, uniqueFileNames } from '@pdf2press/contract';
import { namesIn, resolvePlaceholders } from '@pdf2press/settings';
import { z } from 'zod';
import { texted } from './message.ts';
import { nameFile } from './name-file.ts';
import type { RenameRules } from './naming-rules.ts';
import type { StepContext, StepEffect, StepInput } from './step.ts';
import { stepFacts } from './step-facts.ts';

/** `result`: the file as it is now; of a Completion the files of the result, under their names. */
const deliveredFiles = ['result', 'original', 'ticket'] as const;

/** The setting of a step that delivers. */
export const deliveriesField = () =>
  z
    .array(
      z.strictObject({
        targetId: z.string().min(1).max(60).meta({ editor: 'reference', of: 'delivery' }),
        files: z.array(z.enum(deliveredFiles)).min(1).default(['result']),
        /** Below the folder of the target; each name between slashes is cleaned. */
        folder: texted(200),
        /** Of each file; its extension is added. */
        name: z.string().trim().min(1).max(200).default('{{file.baseName}}').meta({ placeholders: 'session' }),
        /** What happens when the target has a file of the name. */
        collision: z.enum(deliveryCollisions).default('number'),
      }),
    )
    .max(10)
    .default([]);
type Deliveries = z.output<ReturnType<typeof deliveriesField>>;

/** The targets that the settings of a draft name, complete or not. */
export const referencesOfDeliveries = (deliveries: unknown): readonly StepReference[] =>
  (Array.isArray(deliveries) ? deliveries : []).flatMap((delivery: unknown, at): StepReference[] => {
    const id = (delivery as { targetId?: unknown } | null)?.targetId;
    return typeof id === 'string' && id !== ''
      ? [{ resource: 'delivery', id, field: `deliveries.${at}.targetId` }]
      : [];
  });

type Delivered = Omit<StepInput, 'path'>;

/** Folders between slashes, each as a name that is safe everywhere; what leaves no name is left out. */
const foldersIn = (text: string): string[] =>
  text.split(/[/\\]/).flatMap((part) => {
    const name = cleanStem(part, '');
    return name === '' ? [] : [name];
  });

/** More folders than this lie in no order that a person keeps. */
const deepest = 20;

async function filesOf(
  context: StepContext,
  wanted: Deliveries[number]['files'],
  result: readonly Delivered[],
): Promise<readonly Delivered[]> {
  return [
    ...(wanted.includes('result') ? result : []),
    ...(wanted.includes('original') ? [context.original] : []),
    ...(wanted.includes('ticket') ? await context.findMade('ticket') : []),
  ];
}

/**
 * What is to be delivered, a file to a target each, in the order of the settings. Two files of one step that would get the
 * same name in one folder get different ones: otherwise the second would replace the first.
 */
export async function deliveriesOf(
  context: StepContext,
  deliveries: Deliveries,
  { result, maxTries }: { result: readonly Delivered[]; maxTries: number | null },
): Promise<Extract<StepEffect, { kind: 'delivery' }>[]> {
  const taken = new Map<string, string[]>();
  const effects: Extract<StepEffect, { kind: 'delivery' }>[] = [];
  for (const { targetId, files, folder: folderText, name: pattern, collision } of deliveries) {
    const { facts } = await stepFacts(context, namesIn(folderText));
    const folder = foldersIn(resolvePlaceholders(folderText, facts, context.reader)).slice(0, deepest);
    const place = JSON.stringify([targetId, ...folder]);
    for (const file of await filesOf(context, files, result)) {
      const rules: RenameRules = { pattern, operations: [], collision: 'overwrite', scope: 'production' };
      const { wanted } = await nameFile(context, rules, { file, taken: [] });
      const names = uniqueFileNames([...(taken.get(place) ?? []), wanted]);
      taken.set(place, names);
      const { id, sha256, size, mediaType } = file;
      effects.push({
        kind: 'delivery',
        payload: {
          targetId,
          file: { id, sha256, size, mediaType },
          folder,
          name: names.at(-1) ?? wanted,
          collision,
          runNo: context.session.runNo,
          maxTries,
        },
      });
    }
  }
  return effects;
}
