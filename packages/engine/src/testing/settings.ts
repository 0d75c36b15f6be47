import { systemSettingsSchema } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import { settingsRow } from '../secrets/settings.ts';

/** Gives a subscriber settings, all but the given ones as they are for a new one. */
export async function giveSettings(tx: Transaction, subscriberId: string, given: object): Promise<void> {
  const settings = systemSettingsSchema.parse({ id: '', subscriberId, ...given });
  await tx.systemSetting.create({ data: { id: newId('systemSetting'), ...settingsRow(settings) } });
}
