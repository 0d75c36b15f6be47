import { z } from 'zod';
import { exportOf } from './list-export.ts';
import { idSchema, pageOf, pagingSchema, sortedBy, timeSchema } from './paging.ts';
import { profileRoutesOf } from './profiles.ts';
import { may, route } from './route.ts';

/** 0 = kept without a limit. */
const days = z.int().min(0).max(3650);

/** How far the list of what is to be deleted looks ahead, days. */
export const retentionWindowDays = 30;

/** How long files of a session are kept, as the settings of a step and of a policy have it. */
export const retentionRules = {
  /** How long the file as it came is kept. */
  daysSource: days.default(30),
  /** How long the files that steps made are kept. */
  daysFinal: days.default(90),
  /** What the days are counted from. */
  start: z.enum(['completed', 'created', 'lastTouched']).default('completed'),
  /** So many days before files go, the communication profile writes about it; 0 = it does not. */
  noticeDays: z.int().min(0).max(retentionWindowDays).default(7),
  /** No file goes, whatever the days say. */
  isLegalHold: z.boolean().default(false),
  /** Small pictures of the pages stay when the files have gone. */
  keepsThumbnails: z.boolean().default(true),
  /** The session with its findings stays when both files have gone; else it is deleted as a person would. */
  keepsRecord: z.boolean().default(true),
  /** Whether the session goes to the archive: by the policies of archiving, as soon as it has ended, or by hand only. */
  archives: z.enum(['byPolicy', 'atEnd', 'never']).default('byPolicy'),
  /** The policy of archiving that says when, how and where; empty: that of the workflow. One that is off counts as none. */
  archivingPolicyId: z.string().max(60).default('').meta({ editor: 'reference', of: 'archiving' }),
};

/** A retention policy. */
export const retentionProfileSchema = z.object(retentionRules);

/** Which of a session's files: the one that came, or those that were made of it. */
export const retentionParts = ['source', 'final'] as const;

export const dueFileSchema = z.object({
  sessionId: idSchema,
  fileName: z.string(),
  workflow: z.string(),
  part: z.enum(retentionParts),
  dueAt: timeSchema,
  bytes: z.number(),
  policy: z.object({ id: idSchema, name: z.string() }).nullable().describe('Null: the step’s own days'),
  isHeld: z.boolean().describe('On legal hold: it does not go, whatever its time'),
});
export type DueFile = z.infer<typeof dueFileSchema>;

/** What is done about sessions whose files are to go. */
export const retentionActions = ['extend', 'hold', 'release', 'archiveNow', 'deleteNow'] as const;
export type RetentionAction = (typeof retentionActions)[number];

export const retentionProfileRoutes = profileRoutesOf('retention');

/** What the list of files that are to go is sorted by; files of a step's own days come before all policies. */
export const dueSorts = ['when', 'name', 'what', 'policy', 'workflow', 'size'] as const;
export type DueSort = (typeof dueSorts)[number];

const dueQuerySchema = pagingSchema.extend({
  ...sortedBy(dueSorts),
  policyId: idSchema.optional().describe('Of this policy only; `own` = of steps with days of their own'),
  sessionId: idSchema.optional(),
  held: z.stringbool().default(false).describe('Those on legal hold instead'),
});

export const retentionRoutes = {
  due: route({
    method: 'GET',
    path: '/retention/due',
    access: may('retention.view'),
    summary: `Files that are deleted within ${retentionWindowDays} days, the next first, and how many on each day`,
    query: dueQuerySchema,
    result: pageOf(dueFileSchema).extend({
      days: z.array(
        z.object({ day: z.string().describe('2026-11-24, UTC'), files: z.number().int(), bytes: z.number() }),
      ),
    }),
  }),
  export: exportOf('/retention/due', may('retention.view'), dueQuerySchema.omit({ page: true, pageSize: true })),
  act: route({
    method: 'POST',
    path: '/retention/act',
    access: may('retention.manage', 'retention.delete', 'sessions.archive'),
    summary:
      'Keep sessions longer, hold or release them, archive them, or delete their files now; archiving needs sessions.archive, deleting retention.delete, all else retention.manage',
    body: z.object({
      action: z.enum(retentionActions),
      ids: z.array(idSchema).min(1).max(100),
      days: z.int().min(1).max(3650).default(30).describe('Of `extend`: later than now, or than the time it has'),
    }),
    result: z.array(
      z.object({
        id: idSchema,
        success: z.boolean(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
  }),
};
