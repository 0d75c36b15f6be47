import {
  ownOf,
  type SharedSettings,
  type SystemSettings,
  settingsWithin,
  sharedSettingsSchema,
  systemSettingsSchema,
} from '@pdf2press/contract';
import type { SmtpServer } from '@pdf2press/mail';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { InstanceKeys } from './instance-key.ts';
import { revealSecret } from './keep-secret.ts';

/** What the columns of their own hold of settings, and the others in one for all of them. */
export function settingsRow({ id: _id, subscriberId: _owner, installation, ...settings }: SystemSettings) {
  const { own, kept } = installation ? ownOf(settings, installation) : { own: settings, kept: [] };
  const {
    isGlobal,
    passwordSettings,
    smtpSettings,
    proofApprovalSettings,
    measurementSettings,
    userSettings,
    roiSettings,
    estimatedPrepressLaborCost,
    archivingSettings,
    culture,
    showVersionNumber,
    ...others
  } = { ...settings, ...own };
  return {
    isGlobal,
    passwordSettings,
    smtpSettings,
    proofApprovalSettings,
    measurementSettings,
    userSettings,
    roiSettings,
    estimatedPrepressLaborCost,
    archivingSettings,
    culture,
    showVersionNumber,
    extra: { ...others, kept },
  } satisfies Omit<Prisma.SystemSettingUncheckedCreateInput, 'id'>;
}

/** The shared parts of the company whose settings are global; null: none is. */
async function readInstallation(tx: Transaction): Promise<SharedSettings | null> {
  const [row] = await tx.$queryRaw<{ shared: unknown }[]>`select installation_settings() as shared`;
  return sharedSettingsSchema.nullable().parse(row?.shared ?? null);
}

/**
 * A subscriber's settings, with the installation's and the defaults filled in. Secrets are replaced by ids:
 * `smtpSettings.password` and `archivingSettings.config.secretKey` hold the id of the stored secret or null.
 */
export async function readSettings(tx: Transaction, subscriberId: string): Promise<SystemSettings> {
  const row = await tx.systemSetting.findFirst({ where: { subscriberId } });
  const { kept = [], ...others } = storedAs<{ kept?: string[] }>(row?.extra ?? {});
  const settings = systemSettingsSchema.parse({
    id: row?.id ?? '',
    subscriberId,
    ...(row
      ? {
          isGlobal: row.isGlobal,
          passwordSettings: row.passwordSettings,
          smtpSettings: row.smtpSettings,
          proofApprovalSettings: row.proofApprovalSettings,
          measurementSettings: row.measurementSettings,
          userSettings: row.userSettings,
          roiSettings: row.roiSettings,
          estimatedPrepressLaborCost: row.estimatedPrepressLaborCost,
          archivingSettings: row.archivingSettings,
          culture: row.culture,
          // Settings without a column of their own.
          ...others,
          showVersionNumber: row.showVersionNumber,
        }
      : {}),
  });
  const installation = settings.isGlobal ? null : await readInstallation(tx);
  if (!installation) return settings;
  return { ...settings, ...settingsWithin({ own: settings, kept }, installation), installation };
}

/** The subscriber's own mail server with its password decrypted, or undefined when none is set. */
export async function smtpServerOf(
  tx: Transaction,
  keys: InstanceKeys,
  subscriberId: string,
): Promise<SmtpServer | undefined> {
  const { smtpSettings } = await readSettings(tx, subscriberId);
  if (!smtpSettings.host) return undefined;
  const id = smtpSettings.password;
  const password = id ? await revealSecret(tx, keys, { subscriberId, id, purpose: 'smtp.password' }) : null;
  return { ...smtpSettings, password };
}
