import { workflowEdgeSchema, workflowStepSchema } from '@pdf2press/contract';
import { z } from 'zod';
import type { Fragment } from './workflow-edit.ts';

const fragmentSchema = z.object({
  format: z.literal('pdf2press-steps'),
  steps: z.array(workflowStepSchema).min(1).max(500),
  edges: z.array(workflowEdgeSchema).max(1000),
});

/** Steps from the clipboard's text; null for any other text. They may come from another workflow or another window. */
export function readFragment(text: string): Fragment | null {
  if (!text.startsWith('{')) return null;
  try {
    return fragmentSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // Some other text that begins with a brace.
    return null;
  }
}
