import { keepAlarms, lookAtCertificates, lookAtReleases, type Repeated, repeat } from '@pdf2press/engine';
import type { ApiDeps } from './deps.ts';
import { sweepLeftovers } from './leftovers.ts';
import { sweepUploads } from './uploads/upload-files.ts';

const hour = 3_600_000;
/** How soon somebody is told that something is wrong, and that it is right again. */
const alarmPeriod = 20_000;

/** Removes old counts and links. Counts are kept for a day, the longest window of a rate limit. */
const sweepAccounts = (deps: ApiDeps): Promise<unknown> =>
  deps.db.asHost(async (tx) => {
    await tx.$executeRaw`delete from rate_limits where window_start < clock_timestamp() - interval '1 day'`;
    await tx.$executeRaw`delete from login_attempts where at < clock_timestamp() - interval '1 day'`;
    await tx.$executeRaw`delete from lockouts where until < clock_timestamp() - interval '1 day'`;
    await tx.$executeRaw`delete from one_time_tokens where expires_at < clock_timestamp() - interval '30 days'`;
    await tx.$executeRaw`delete from user_sessions where absolute_expires_at < clock_timestamp() - interval '30 days'`;
    await tx.$executeRaw`delete from notifications where created_at < clock_timestamp() - interval '180 days'`;
  });

/**
 * Removes what has expired, reads certificates that were not read for a day and asks for newer versions where that is
 * switched on, every hour, and looks every 20 seconds for what people must be told. The API does so and not a worker, for it
 * also tells that no worker runs. Several API processes may do so at once. Returns how to stop it.
 */
export function startSweeps(deps: ApiDeps): () => Promise<void> {
  const sweep = () =>
    deps.background.run('sweep', async () => {
      await sweepAccounts(deps);
      await sweepUploads(deps, deps.uploads);
      await sweepLeftovers(deps.env.dataDir);
      await lookAtCertificates(deps.engine, deps.mail);
      await lookAtReleases(deps.engine, deps.releases);
    });
  const timer = setInterval(sweep, hour);
  timer.unref();
  sweep();
  let alarms: Repeated | undefined;
  // Not at once: the workers may have been away with this process, and are just starting.
  const first = setTimeout(() => {
    const failed = (error: unknown) => deps.log.warn({ err: error }, 'alarms');
    alarms = repeat(() => keepAlarms(deps.engine), alarmPeriod, failed);
  }, alarmPeriod);
  return async () => {
    clearInterval(timer);
    clearTimeout(first);
    await alarms?.stop();
  };
}
