import { z } from 'zod';
import { sessionPrioritySchema } from './enumerations.ts';
import { externalIdSchema } from './external-ids.ts';
import { orderSchema, shopSchema } from './orders.ts';
import { idSchema } from './paging.ts';
import { variableValuesSchema } from './workflows.ts';

/** Characters of an address: those of object stores hold a signature. */
const longestAddress = 4000;

const namedFile = {
  workflowId: idSchema,
  fileUrl: z
    .string()
    .max(longestAddress)
    .refine((text) => URL.canParse(text))
    .optional()
    .describe('Where the file lies: fetched by https, and again until it is whole'),
  uploadId: idSchema
    .optional()
    .describe(
      'Of a complete upload of the caller, begun without a workflow; it becomes one session however often it is named',
    ),
  fileName: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe('Without it, as its server, its address or its upload names it'),
  variables: variableValuesSchema.default({}).describe('Values of the workflow’s variables'),
  externalId: externalIdSchema.optional().describe('The number that your own system has for it'),
  order: orderSchema.default({}).describe('The order that the file belongs to: values of the session named order.…'),
  shop: shopSchema.optional().describe('The shop system that hands it in: a way into the workflow of its own'),
  organizationId: idSchema.optional(),
  priority: sessionPrioritySchema.default('Normal'),
};

/** A file has an address or was uploaded, and not both. */
function namesOneFile(
  { fileUrl, uploadId }: { fileUrl?: unknown; uploadId?: unknown },
  context: z.RefinementCtx,
): void {
  if ((fileUrl === undefined) !== (uploadId === undefined)) return;
  const params = { code: fileUrl === undefined ? 'value.required' : 'value.invalid' };
  context.addIssue({ code: 'custom', path: [fileUrl === undefined ? 'fileUrl' : 'uploadId'], params });
}

/** A file that is handed in by its address or its upload instead of its bytes. */
export const namedFileSchema = z.object(namedFile).superRefine(namesOneFile);
export type NamedFile = z.infer<typeof namedFileSchema>;

/** Files that one request hands in. */
export const mostInBatch = 100;

/** One file of a batch. */
export const batchItemSchema = z
  .object({
    ...namedFile,
    idempotencyKey: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'As the header Idempotency-Key of a request for this file alone; without it, the header with the number of the item',
      ),
  })
  .superRefine(namesOneFile);

/** A batch whose items are each read for themselves: one that is wrong harms no other. */
export const sessionBatchSchema = z.object({
  items: z
    .array(z.unknown())
    .min(1)
    .refine((items) => items.length <= mostInBatch, {
      params: { code: 'value.tooMany', params: { max: mostInBatch } },
    }),
});
