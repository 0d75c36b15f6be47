import { z } from 'zod';
import { type SessionSource, sessionSources } from './session-sources.ts';

/* Names as they are on the wire and in the database; one that was released is never renamed. */

export const severities = ['Info', 'Warn', 'Fail'] as const;
export const severitySchema = z.enum(severities);
export type Severity = (typeof severities)[number];

export const resultLevels = ['Success', 'Warning', 'Error'] as const;
export const resultLevelSchema = z.enum(resultLevels);
export type ResultLevel = (typeof resultLevels)[number];

/** Info never changes the level; the worst finding decides. */
export const levelOf = (found: Iterable<Severity>): ResultLevel => {
  let level: ResultLevel = 'Success';
  for (const severity of found) {
    if (severity === 'Fail') return 'Error';
    if (severity === 'Warn') level = 'Warning';
  }
  return level;
};

export const fileKinds = [
  'OriginalFile',
  'ProductionFile',
  'OriginalFileThumbnails',
  'ProductionFileThumbnails',
  'Others',
] as const;
export const fileKindSchema = z.enum(fileKinds);
export type FileKind = (typeof fileKinds)[number];

export const sessionSourceSchema = z.enum(Object.keys(sessionSources) as [SessionSource, ...SessionSource[]]);

/** Of sessions; an urgent one goes before all others of its subscriber. By rank: the database holds the index. */
export const sessionPriorities = ['Normal', 'Urgent'] as const;
export const sessionPrioritySchema = z.enum(sessionPriorities);
export type SessionPriority = (typeof sessionPriorities)[number];
export const priorityAt = (rank: number): SessionPriority => sessionPriorities[rank] ?? 'Normal';

export const archiveStates = ['Unarchived', 'Archived', 'Archiving', 'Unarchiving'] as const;
export const archiveStateSchema = z.enum(archiveStates);
export type ArchiveState = (typeof archiveStates)[number];

/** In the order in which files usually meet them; the palette of the builder follows it. */
export const stepKinds = [
  'Inject',
  'Preflight',
  'Fix',
  'Impose',
  'Condition',
  'Route',
  'Proof',
  'Hold',
  'Action',
  'Rename',
  'Retention',
  'Complete',
  'Cancel',
] as const;
export const stepKindSchema = z.enum(stepKinds);
export type StepKind = (typeof stepKinds)[number];

export const approvalPolicies = ['AlwaysApprove', 'Decline', 'ConfirmIfWarnOrError', 'ConfirmIfError'] as const;
export const approvalPolicySchema = z.enum(approvalPolicies);
export type ApprovalPolicy = (typeof approvalPolicies)[number];

export const featureKeys = [
  'ActionStep',
  'FileRenaming',
  'Imposition',
  'Archiving',
  'EmailInjection',
  'CloudInjection',
] as const;
export const featureKeySchema = z.enum(featureKeys);
export type FeatureKey = (typeof featureKeys)[number];

export const variableTypes = ['String', 'Number', 'YesNo', 'Select'] as const;
export const variableTypeSchema = z.enum(variableTypes);

/** The services whose folders files are fetched from. */
export const cloudProviders = ['GoogleDrive', 'OneDrive'] as const;
export const cloudProviderSchema = z.enum(cloudProviders);
export type CloudProvider = (typeof cloudProviders)[number];

/** The kinds of profile; the settings of each are read by the schema of the room that owns the kind. */
export const profileKinds = [
  'preflight',
  'fix',
  'impose',
  'proofing',
  'communication',
  'inboundEmail',
  'cloudStorage',
  'retention',
  'archiving',
  'renaming',
  'delivery',
  'sftpServer',
] as const;
export const profileKindSchema = z.enum(profileKinds);
export type ProfileKind = (typeof profileKinds)[number];

const connections: ReadonlySet<ProfileKind> = new Set(['inboundEmail', 'cloudStorage', 'delivery', 'sftpServer']);
/**
 * Whether profiles of a kind are connections to other systems, with a secret: they are used as they are now, not as they
 * were when a workflow was published, and no export carries them.
 */
export const isConnection = (kind: ProfileKind): boolean => connections.has(kind);
