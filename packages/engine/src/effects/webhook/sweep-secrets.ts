import type { EngineDeps } from '../../deps.ts';
import { hookPurpose } from '../chat/contract.ts';
import { actionSecretPurpose } from './contract.ts';

/** A draft that nobody has saved yet may name a secret for so long. */
const graceDays = 30;

/**
 * Removes the secrets of steps and of hooks that no draft, no profile, no version, no settings, no webhook, and no call that is still to
 * be made names. Versions keep theirs, because they can be restored.
 * @returns how many were removed
 */
export const sweepSecrets = (deps: EngineDeps): Promise<number> =>
  deps.database.asHost(
    (tx) => tx.$executeRaw`
      with kept as (
        select subscriber_id, draft::text as text from workflows
        union all select subscriber_id, definition::text || profiles::text from workflow_versions
        union all select subscriber_id, settings::text from profile_versions
        union all select subscriber_id, extra::text from system_settings
        union all select subscriber_id, to_json(secret_id)::text from webhooks
        union all select subscriber_id, to_json(old_secret_id)::text from webhooks where old_secret_until > clock_timestamp()
        union all select subscriber_id, payload::text from effects where state in ('Pending', 'Sending') and kind in ('webhook', 'chat')),
      named as (
        select distinct subscriber_id, found[1] as id from kept, regexp_matches(text, '"(sec_[^"]+)"', 'g') as found)
      delete from secrets
       where purpose in (${actionSecretPurpose}, ${hookPurpose})
         and coalesce(rotated_at, created_at) < clock_timestamp() - make_interval(days => ${graceDays}::int)
         and not exists (
           select 1 from named where named.subscriber_id = secrets.subscriber_id and named.id = secrets.id)`,
    { timeout: 120_000 },
  );
