import { type SystemSettings, systemSettingsSchema } from '@pdf2press/contract';
import type { SmtpServer } from '@pdf2press/mail';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { InstanceKeys } from './instance-key.ts';
import { revealSecret } from './keep-secret.ts';

/** What the columns of their own hold of settings, and the others in one for all of them. */
export function settingsRow(settings: SystemSettings) {
  const {
    id: _id,
    subscriberId: _owner,
    isGlobal: _global,
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
    ...extra
  } = settings;
  return {
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
    extra,
  } satisfies Omit<Prisma.SystemSettingUncheckedCreateInput, 'id'>;
}

/**
 * A subscriber's settings with defaults filled in. Secrets are replaced by ids: `smtpSettings.password` and
 * `archivingSettings.config.secretKey` hold the id of the stored secret or null.
 */
export async function readSettings(tx: Transaction, subscriberId: string): Promise<SystemSettings> {
  const row = await tx.systemSetting.findFirst({ where: { subscriberId } });
  return systemSettingsSchema.parse({
    id: row?.id ?? '',
    subscriberId,
    isGlobal: row?.isGlobal ?? false,
    ...(row
      ? {
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
          ...storedAs<object>(row.extra),
          showVersionNumber: row.showVersionNumber,
        }
      : {}),
  });
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
