import { z } from 'zod';
import { idSchema, timeSchema } from './paging.ts';
import { may, route } from './route.ts';
import { sessionStatusSchema } from './session-statuses.ts';
import { isTimeZone } from './settings.ts';

/** Periods of the dashboard, each compared with the one before. */
export const dashboardPeriods = [
  'thisWeek',
  'lastWeek',
  'thisMonth',
  'lastMonth',
  'thisQuarter',
  'lastQuarter',
  'thisYear',
  'lastYear',
] as const;
export type DashboardPeriod = (typeof dashboardPeriods)[number];

const countSchema = z.number().int().nonnegative();
const outcomesSchema = z.partialRecord(sessionStatusSchema, countSchema);

const namedSchema = z.object({ id: z.string(), name: z.string() });
/** `name` is null where it is not known any more. */
const sharesSchema = z.array(
  z.object({ id: z.string(), name: z.string().nullable(), files: countSchema, failed: countSchema }),
);

const durationsSchema = z.object({
  count: countSchema,
  totalMs: z.number(),
  p50Ms: z.number().describe('Half of them took no longer; right within a tenth'),
  p95Ms: z.number(),
});

const savingsSchema = z.object({
  averagePrepressTime: z.number().describe('Minutes per file, of the settings'),
  laborCostPerHour: z.number(),
  estimatedPrepressLaborCost: z
    .number()
    .describe('Per file: as the settings say, else averagePrepressTime / 60 × laborCostPerHour'),
  files: countSchema.describe('Files that were completed, with or without warnings'),
  minutes: z.number().describe('files × averagePrepressTime'),
  cost: z.number().describe('files × estimatedPrepressLaborCost'),
  previousMinutes: z.number(),
  previousCost: z.number(),
});

export const dashboardSchema = z.object({
  period: z.enum(dashboardPeriods),
  from: timeSchema,
  to: timeSchema,
  /** It has not ended: what it is compared with is as long as what has passed of it. */
  isRunning: z.boolean(),
  previous: z.object({ from: timeSchema, to: timeSchema, outcomes: outcomesSchema }),
  outcomes: outcomesSchema,
  unit: z.enum(['day', 'week', 'month']),
  parts: z.array(z.object({ from: timeSchema, outcomes: outcomesSchema })),
  savings: savingsSchema.nullable().describe('Null for who may not see savings'),
  needsYou: z.object({
    onHold: countSchema,
    /** Failed in the last seven days. */
    failed: countSchema,
    /** Waiting for a customer’s decision, and of these past their time; null for who may not see proofs. */
    proofs: z.object({ waiting: countSchema, overdue: countSchema, unreached: countSchema }).nullable(),
  }),
  findings: z.array(
    z.object({
      check: z.string(),
      rule: z.string(),
      label: z.string(),
      severity: z.enum(['Warn', 'Fail']),
      files: countSchema,
    }),
  ),
  steps: z.array(
    z.object({
      kind: z.string(),
      machine: durationsSchema,
      people: durationsSchema.nullable().describe('How long such steps waited for people'),
    }),
  ),
  workflows: sharesSchema.describe('The busiest first'),
  organizations: sharesSchema.describe('Those with most failures first; an empty id = files of no organization'),
  storage: z
    .object({
      measuredAt: timeSchema.nullable(),
      months: z.array(z.object({ month: z.string().describe('2026-11'), bytes: z.number() })),
    })
    .nullable()
    .describe('Bytes at the end of each month; null for who may not see them'),
  /** What can be filtered by. */
  choices: z.object({ workflows: z.array(namedSchema), organizations: z.array(namedSchema) }),
});
export type Dashboard = z.infer<typeof dashboardSchema>;

const dashboardQuerySchema = z.object({
  period: z.enum(dashboardPeriods).default('thisMonth'),
  timeZone: z
    .string()
    .max(60)
    .refine(isTimeZone, { params: { code: 'value.invalid' } })
    .default('UTC')
    .describe('IANA name; days begin at its midnight'),
  workflowId: idSchema.optional(),
  organizationId: idSchema.optional(),
});

export const dashboardRoutes = {
  read: route({
    method: 'GET',
    path: '/dashboard',
    access: may('dashboard.view'),
    summary: 'What came in a period, what became of it, what it saved, and what needs somebody now',
    query: dashboardQuerySchema,
    result: dashboardSchema,
  }),
  export: route({
    method: 'GET',
    path: '/dashboard/export.csv',
    access: may('dashboard.view'),
    summary: 'The same figures as CSV, one a line',
    query: dashboardQuerySchema,
    wire: 'bytes',
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
};
