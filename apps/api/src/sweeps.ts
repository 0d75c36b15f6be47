import type { ApiDeps } from './deps.ts';
import { sweepLeftovers } from './leftovers.ts';
import { sweepUploads } from './uploads/upload-files.ts';

const hour = 3_600_000;

/** Removes old counts and links. Counts are kept for a day, the longest window of a rate limit. */
const sweepAccounts = (deps: ApiDeps): Promise<unknown> =>
  deps.db.asHost(async (tx) => {
    await tx.$executeRaw`delete from rate_limits where window_start < clock_timestamp() - interval '1 day'`;
    await tx.$executeRaw`delete from login_attempts where at < clock_timestamp() - interval '1 day'`;
    await tx.$executeRaw`delete from lockouts where until < clock_timestamp() - interval '1 day'`;
    await tx.$executeRaw`delete from one_time_tokens where expires_at < clock_timestamp() - interval '30 days'`;
    await tx.$executeRaw`delete from user_sessions where absolute_expires_at < clock_timestamp() - interval '30 days'`;
  });

/** Removes what has expired, every hour; several API processes may do so at once. Returns how to stop it. */
export function startSweeps(deps: ApiDeps): () => void {
  const sweep = () =>
    deps.background.run('sweep', async () => {
      await sweepAccounts(deps);
      await sweepUploads(deps, deps.uploads);
      await sweepLeftovers(deps.env.dataDir);
    });
  const timer = setInterval(sweep, hour);
  timer.unref();
  sweep();
  return () => clearInterval(timer);
}
