import { type SystemSettings, systemSettingsSchema } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';

/**
 * A subscriber's settings in the specification's shape, defaults filled in. Secrets are ids inside: `smtpSettings.password`
 * and `archivingSettings.config.secretKey` hold the id of the kept secret or null.
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
          archivingSettings: row.archivingSettings,
          culture: row.culture,
          showVersionNumber: row.showVersionNumber,
        }
      : {}),
  });
}
