import { z } from 'zod';
import { forHost } from './host.ts';
import { timeSchema } from './paging.ts';
import { route } from './route.ts';

/** When backups are made, where, and how many stay. */
export const backupScheduleSchema = z.object({
  isOn: z.boolean().default(false),
  /** In the time zone of the server. */
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .default('02:00'),
  /** On the server; each backup is a folder in it. Empty: `backups` in the data folder. */
  folder: z
    .string()
    .trim()
    .max(1000)
    .refine((text) => text === '' || /^(\/|[A-Za-z]:[\\/])/.test(text), { params: { code: 'value.invalid' } })
    .default(''),
  keep: z.number().int().min(1).max(366).default(14),
  areFilesIncluded: z.boolean().default(true),
});
export type BackupSchedule = z.infer<typeof backupScheduleSchema>;

/** A backup that is kept. It was read back and compared after it was written. */
export const keptBackupSchema = z.object({
  /** Of its folder. */
  name: z.string(),
  takenAt: timeSchema,
  checkedAt: timeSchema,
  /** Bytes. */
  size: z.number(),
  fileCount: z.number().int(),
  areFilesIncluded: z.boolean(),
});
export type KeptBackup = z.infer<typeof keptBackupSchema>;

/** The last run: null ends while it goes on. */
export const backupRunSchema = z.object({
  startedAt: timeSchema,
  endedAt: timeSchema.nullable(),
  fault: z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
});
export type BackupRun = z.infer<typeof backupRunSchema>;

const stateSchema = z.object({
  schedule: backupScheduleSchema,
  /** Where they go now. */
  folder: z.string(),
  timeZone: z.string(),
  run: backupRunSchema.extend({ message: z.string().nullable() }).nullable(),
  isAsked: z.boolean().describe('One was asked for and has not begun'),
  kept: z.array(keptBackupSchema),
});

/** For administrators of the installation: its scheduled backups. */
export const backupRoutes = {
  get: route({
    method: 'GET',
    path: '/host/backups',
    access: forHost('host.maintenance'),
    summary: 'Scheduled backups: when and where they are made, the last run, and those that are kept',
    result: stateSchema,
  }),
  schedule: route({
    method: 'PUT',
    path: '/host/backups/schedule',
    access: forHost('host.maintenance'),
    summary: 'Change when and where backups are made, and how many are kept',
    body: backupScheduleSchema,
    result: stateSchema,
  }),
  ask: route({
    method: 'POST',
    path: '/host/backups',
    access: forHost('host.maintenance'),
    summary: 'Ask for a backup now, into the folder of the schedule; a worker makes it',
    result: stateSchema,
    rateLimit: { max: 10, windowSeconds: 3600 },
  }),
};
