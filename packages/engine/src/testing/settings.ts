import { systemSettingsSchema } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';

/** Gives a subscriber settings, all but the given ones as they are for a new one. */
export async function giveSettings(tx: Transaction, subscriberId: string, given: object): Promise<void> {
  const {
    id: _id,
    subscriberId: _owner,
    isGlobal: _global,
    timeZone,
    houseSettings,
    feedbackSettings,
    noticeSettings,
    ...columns
  } = systemSettingsSchema.parse({ id: '', subscriberId, ...given });
  // What has no column of its own stands in one for all of them.
  const extra = { timeZone, houseSettings, feedbackSettings, noticeSettings };
  await tx.systemSetting.create({ data: { id: newId('systemSetting'), extra, ...columns } });
}
