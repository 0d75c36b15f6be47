import { z } from 'zod';
import { sessionPrioritySchema } from './enumerations.ts';
import { externalIdSchema } from './external-ids.ts';
import { orderSchema, shopSchema } from './orders.ts';
import { idSchema } from './paging.ts';
import { variableValuesSchema } from './workflows.ts';

/** Characters of an address: those of object stores hold a signature. */
const longestAddress = 4000;

/** A file that is handed in by its address instead of its bytes. */
export const sessionByAddressSchema = z.object({
  workflowId: idSchema,
  fileUrl: z
    .string()
    .max(longestAddress)
    .refine((text) => URL.canParse(text))
    .describe('Where the file lies: fetched by https, and again until it is whole'),
  fileName: z.string().trim().min(1).max(500).optional().describe('Without it, as its server or its address names it'),
  variables: variableValuesSchema.default({}).describe('Values of the workflow’s variables'),
  externalId: externalIdSchema.optional().describe('The number that your own system has for it'),
  order: orderSchema.default({}).describe('The order that the file belongs to: values of the session named order.…'),
  shop: shopSchema.optional().describe('The shop system that hands it in: a way into the workflow of its own'),
  organizationId: idSchema.optional(),
  priority: sessionPrioritySchema.default('Normal'),
});
export type SessionByAddress = z.infer<typeof sessionByAddressSchema>;
