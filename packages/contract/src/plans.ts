import { z } from 'zod';
import { timeSchema } from './paging.ts';

/** A limit; null = without one. */
const limitSchema = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).nullable().default(null);

/** What a plan limits: files taken in a calendar month (UTC), bytes in the store, active users, and bytes of one file. */
export const quotasSchema = z.object({
  sessionsPerMonth: limitSchema,
  storageBytes: limitSchema,
  users: limitSchema,
  uploadBytes: limitSchema,
});
export type Quotas = z.infer<typeof quotasSchema>;
export type QuotaKey = keyof Quotas;

/** What a subscriber has with the installation. Its features are rows of their own. */
export const subscriberPlanSchema = z.object({
  name: z.string().trim().max(100).default(''),
  quotas: quotasSchema.prefault({}),
  storage: z
    .object({
      /** More than this is charged; null = nothing is. */
      includedBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().default(null),
      /** For 1024³ bytes kept for a month. */
      pricePerGb: z.number().min(0).max(100_000).default(0),
      /** ISO 4217. */
      currency: z
        .string()
        .trim()
        .regex(/^[A-Z]{3}$/)
        .default('USD'),
    })
    .prefault({}),
});
export type SubscriberPlan = z.infer<typeof subscriberPlanSchema>;

/** How much of what the quotas limit is used; nothing is used of the size of a file. */
export const usageSchema = z.object({
  sessionsPerMonth: z.number().int().nonnegative().describe('Files taken since the month began (UTC)'),
  storageBytes: z.number().nonnegative(),
  users: z.number().int().nonnegative().describe('Active users'),
});
export type Usage = z.infer<typeof usageSchema>;

/** Share of a limit from which it is shown in amber. */
export const nearLimit = 0.8;

/** How near a limit is. */
export type LimitLevel = 'free' | 'near' | 'reached';
export const limitLevel = (used: number, limit: number | null): LimitLevel =>
  limit === null || used < limit * nearLimit ? 'free' : used < limit ? 'near' : 'reached';

/** What storage beyond the included bytes costs: a month is the sum of its days, each with the terms of that day. */
export const overageSchema = z.object({
  measuredAt: timeSchema.nullable(),
  /** The last measurement. */
  bytes: z.number().nonnegative(),
  months: z
    .array(
      z.object({
        month: z.string().describe('2026-11, UTC'),
        currency: z.string(),
        /** The most that was kept on one day. */
        peakBytes: z.number(),
        /** Beyond what was included, on average of the measured days. */
        overBytes: z.number(),
        cost: z.number().describe('Of the days that were measured'),
      }),
    )
    .describe('The latest first; a month in which the currency changed stands once for each'),
  /** What the present month will cost if the store stays as it is. */
  expectedCost: z.number(),
});
export type Overage = z.infer<typeof overageSchema>;

/** A plan and what of it is used. */
export const planStateSchema = z.object({ plan: subscriberPlanSchema, usage: usageSchema, overage: overageSchema });
export type PlanState = z.infer<typeof planStateSchema>;
