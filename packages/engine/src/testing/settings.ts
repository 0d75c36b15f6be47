import { systemSettingsSchema } from '@pdf2press/contract';
import type { Lab } from './lab.ts';

/** Gives the subscriber of a lab settings, all but the time zone as they are for a new one. */
export async function setTimeZone({ deps, subscriberId }: Lab, timeZone: string): Promise<void> {
  const settings = systemSettingsSchema.parse({ id: 'set_1', subscriberId });
  // What has no column of its own stands in one for all of them.
  const { timeZone: _zone, houseSettings: _house, feedbackSettings: _feedback, ...columns } = settings;
  await deps.database.withSubscriber({ subscriberId }, (tx) =>
    tx.systemSetting.create({ data: { ...columns, extra: { timeZone } }, select: { id: true } }),
  );
}
