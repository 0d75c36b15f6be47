import {
  archivingFormSchema,
  archivingProfileSchema,
  type ProfileKind,
  proofProfileSchema,
  retentionProfileSchema,
  type SettingIssue,
} from '@pdf2press/contract';
import { deliverySettingsSchema } from '@pdf2press/deliveries/contracts';
import { givenFixProfileSchema } from '@pdf2press/fix/contracts';
import { givenImposeProfileSchema } from '@pdf2press/impose/contracts';
import { preflightProfileSchema, savedPreflightProfileSchema } from '@pdf2press/preflight/contracts';
import { newId, type Prisma, type Transaction } from '@pdf2press/prisma';
import { cloudSettingsSchema, mailboxSettingsSchema, sftpServerSchema } from '@pdf2press/sources/contracts';
import { communicationIssues, communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import { expressionIssues } from '@pdf2press/steps/rename';
import { renameProfileSchema } from '@pdf2press/steps/rename-profile';
import { z } from 'zod';
import type { Caller } from '../frame/caller.ts';
import { faultsOf, InvalidRequestError } from '../frame/read-part.ts';
import { demandGuarded } from './guarded-settings.ts';

/** The schema that reads the settings of a kind; settings of kinds without one are stored as they are. */
const settingsSchemas: Partial<Record<ProfileKind, z.ZodType>> = {
  preflight: preflightProfileSchema,
  fix: givenFixProfileSchema,
  impose: givenImposeProfileSchema,
  proofing: proofProfileSchema,
  communication: communicationProfileSchema,
  renaming: renameProfileSchema,
  retention: retentionProfileSchema,
  archiving: archivingProfileSchema,
  inboundEmail: mailboxSettingsSchema,
  cloudStorage: cloudSettingsSchema,
  delivery: deliverySettingsSchema,
  sftpServer: sftpServerSchema,
};

/** Where more is asked of settings that are saved than of those that were. */
const savedSchemas: Partial<Record<ProfileKind, z.ZodType>> = {
  preflight: savedPreflightProfileSchema,
  // The secret of its keys is kept elsewhere.
  archiving: archivingFormSchema.transform(({ secretKey: _, ...settings }) => settings),
};

/** What is wrong with settings that fit their schema, where only an engine that is loaded late can tell. */
const settingsChecks: Partial<Record<ProfileKind, (settings: unknown) => Promise<readonly SettingIssue[]>>> = {
  renaming: (settings) => expressionIssues(renameProfileSchema.parse(settings)),
  communication: (settings) => communicationIssues(communicationProfileSchema.parse(settings)),
};

/**
 * Settings of a profile, read by the schema of the room that owns the kind.
 * @throws InvalidRequestError 422 naming every value that does not fit
 */
export async function readSettingsOf(
  kind: ProfileKind,
  settings: unknown,
  field = 'settings',
): Promise<Record<string, unknown>> {
  const schema = savedSchemas[kind] ?? settingsSchemas[kind] ?? z.record(z.string(), z.unknown());
  const read = schema.safeParse(settings, { reportInput: true });
  const faults = read.success
    ? ((await settingsChecks[kind]?.(read.data)) ?? []).map(({ code, params, field: at }) => ({
        code,
        field: `${field}.${at}`,
        ...(params && { params }),
      }))
    : faultsOf(read.error, field);
  if (read.success && faults.length === 0) return read.data as Record<string, unknown>;
  throw new InvalidRequestError(
    [
      { code: 'profile.invalid', params: { field: faults[0]?.field ?? field }, field: faults[0]?.field ?? field },
      ...faults,
    ],
    422,
  );
}

/** Stored settings in the form of today's schema: stored versions are never changed, so older ones are upgraded on reading. */
export function todaysSettings(kind: ProfileKind, stored: unknown): Record<string, unknown> {
  const read = settingsSchemas[kind]?.safeParse(stored);
  return (read?.success ? read.data : stored) as Record<string, unknown>;
}

export interface NewProfile {
  kind: ProfileKind;
  name: string;
  description: string;
  /** Null = the whole house. */
  organizationId: string | null;
  settings: Record<string, unknown>;
  preset?: string | undefined;
}

/** Writes a profile and its first version. Resolves to its id. @throws ProblemError of `demandGuarded` */
export async function createProfile(tx: Transaction, caller: Caller, profile: NewProfile): Promise<string> {
  const { kind, name, description, organizationId, preset } = profile;
  demandGuarded(caller, kind, profile.settings);
  const id = newId('profile');
  await tx.profile.create({ data: { id, kind, name, description, organizationId, preset: preset ?? null } });
  await addVersion(tx, caller, id, 1, profile.settings);
  return id;
}

/** Versions are never changed: each save is a new one. */
export const addVersion = (
  tx: Transaction,
  caller: Caller,
  profileId: string,
  no: number,
  settings: Record<string, unknown>,
) =>
  tx.profileVersion.create({
    data: {
      id: newId('profileVersion'),
      profileId,
      no,
      settings: settings as Prisma.InputJsonObject,
      createdById: caller.userId,
    },
    select: { id: true },
  });
