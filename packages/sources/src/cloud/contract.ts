import { cloudIdSchema, cloudProviders } from '@pdf2press/contract';
import { namesField, onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { sourceContract } from '../source.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A folder of the cloud storage, and what becomes of its files. */
export const cloudFolderSchema = z.object({
  /** The drive or library that the folder lies in; empty = the account's own drive. */
  driveId: cloudIdSchema.default(''),
  folderId: cloudIdSchema.min(1).default(''),
  /** How people know it; shown only. */
  path: z.string().max(1000).default(''),
  /** Each file becomes a session of this workflow. */
  workflowId: z.string().min(1).max(60).default('').meta({ editor: 'reference', of: 'workflow' }),
  hasSubfolders: z.boolean().default(false),
  /** Variables of the workflow that are given the names of the subfolders on the way to the file, outermost first. */
  pathVariables: onlyWhen({ hasSubfolders: true }, z.array(z.string().trim().min(1).max(100)).max(10).default([])),
});
export type CloudFolder = z.output<typeof cloudFolderSchema>;

const isDistinct = (folders: readonly CloudFolder[]): boolean =>
  new Set(folders.map(({ driveId, folderId }) => `${driveId} ${folderId}`)).size === folders.length;

/** The settings of a cloud storage, without the grant of its account. */
export const cloudSettingsSchema = z.object({
  isEnabled: z.boolean().default(true),
  provider: z.enum(cloudProviders).default('GoogleDrive'),
  /** Also asks for the libraries of SharePoint, which private accounts do not have. */
  hasLibraries: onlyWhen({ provider: 'OneDrive' }, z.boolean().default(false)),
  folders: z
    .array(cloudFolderSchema)
    .max(50)
    .default([])
    .refine(isDistinct, { params: { code: 'value.invalid' } })
    .meta({ editor: 'cloudFolders' }),
  /** File names to take; `*` matches any characters. */
  include: namesField(['*']),
  exclude: namesField(['.*', '~*', '*.tmp', '*.part', '*.crdownload']),
  /** A file is complete when nothing about it has changed for this many seconds. */
  stableSeconds: z.number().int().min(0).max(3600).default(10),
  /** What happens to a file after it was taken. */
  after: z.enum(['move', 'delete', 'leave']).default('move'),
});
export type CloudSettings = z.output<typeof cloudSettingsSchema>;

/** What an account has allowed; stored encrypted. */
export const cloudGrantSchema = z.object({
  refreshToken: z.string().min(1),
  /** Whether files may be moved and deleted, too. */
  mayWrite: z.boolean(),
});
export type CloudGrant = z.output<typeof cloudGrantSchema>;

/** Chosen folders of a GoogleDrive or OneDrive, with those of shared drives and SharePoint libraries. */
export const cloudContract = sourceContract({
  kind: 'cloud',
  version: 1,
  settings: z.object({
    connectionId: z.string().min(1).max(60),
    driveId: cloudIdSchema,
    folderId: cloudIdSchema.min(1),
  }),
  placeSettings: ['driveId', 'folderId'],
  connection: { profile: 'cloudStorage', settings: cloudSettingsSchema, secret: cloudGrantSchema },
  isNamedByConnection: true,
  cursor: z.object({
    /** Where the provider's list of changes goes on. */
    token: z.string(),
    /** Files are left that were not settled: the folder is listed again, whatever has changed. */
    hasLeft: z.boolean(),
    /** The rules that files were chosen by; other rules may choose files that have not changed. */
    rules: z.string(),
    /** When the folder was last listed in full, milliseconds since 1970; it is once a day, whatever changes are told. */
    listedAt: z.number().default(0),
    /** What was in it then. */
    tree: z.string().default(''),
  }),
  sessionSource: 'CloudFolder',
  isPolled: true,
  isRemote: true,
  findsRefused: true,
  limitSeconds: 60,
  icon: 'M7 18a4.5 4.5 0 0 1-.5-8.97A6 6 0 0 1 18 8.5a4.75 4.75 0 0 1-.5 9.5z',
  group: 'cloud',
  feature: 'CloudInjection',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
