import { contractMessages, type Locale, type MailboxState, routes, sentence } from '@pdf2press/contract';
import { mailboxAddress } from '@pdf2press/engine';
import type { Transaction } from '@pdf2press/prisma';
import { mailboxServerSchema } from '@pdf2press/sources/contracts';
import { tryMailbox } from '@pdf2press/sources/mailbox';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { faultsOf, InvalidRequestError } from '../frame/read-part.ts';
import { secretToTry } from './connection-secrets.ts';
import { storedSettings } from './stored-settings.ts';

/** A trial ends after this many milliseconds, however far it is. */
const trialMs = 30_000;

interface StateRow {
  id: string;
  isEnabled: boolean;
  workflowId: string | null;
  workflowName: string | null;
  isTaking: boolean;
  lastOkAt: Date | null;
  dueAt: Date | null;
  failingSince: Date | null;
  errorCode: string | null;
  errorParams: Record<string, string | number> | null;
}

/** What is known of the polling of each mailbox; its rules are those of `listMailboxes`. */
const readStates = (tx: Transaction) => tx.$queryRaw<StateRow[]>`
  select profile.id, version.settings @> '{"isEnabled": true}' as "isEnabled",
         workflow.id as "workflowId", workflow.name as "workflowName",
         coalesce(workflow.is_enabled, false) and not coalesce(jsonb_path_exists(published.definition,
           '$.steps[*] ? (@.kind == "Inject").settings.ways ? (@.email == false)'), true) as "isTaking",
         inlet.last_ok_at as "lastOkAt", inlet.due_at as "dueAt", inlet.failing_since as "failingSince",
         inlet.error_code as "errorCode", inlet.error_params as "errorParams"
    from profiles profile
    join profile_versions version on version.profile_id = profile.id and version.no = profile.current_no
    left join workflows workflow on workflow.id = version.settings ->> 'workflowId' and workflow.deleted_at is null
    left join workflow_versions published on published.workflow_id = workflow.id and published.no = workflow.published_no
    left join inlets inlet on inlet.connection_id = profile.id and inlet.kind = 'email'
   where profile.kind = 'inboundEmail' and profile.deleted_at is null
   order by profile.name, profile.id`;

function stateOf(row: StateRow, locale: Locale): MailboxState {
  const { id, isEnabled, isTaking, workflowId, workflowName, lastOkAt, dueAt, failingSince, errorCode } = row;
  const paused = isEnabled ? (isTaking ? null : 'workflow') : 'off';
  return {
    id,
    workflow: workflowId === null ? null : { id: workflowId, name: workflowName ?? '' },
    paused,
    lastLookedAt: lastOkAt?.toISOString() ?? null,
    nextLookAt: paused === null ? (dueAt?.toISOString() ?? null) : null,
    failing:
      failingSince && errorCode
        ? {
            since: failingSince.toISOString(),
            code: errorCode,
            message: sentence(contractMessages, locale, errorCode, row.errorParams ?? {}),
          }
        : null,
  };
}

export function bindMailboxes(bind: Bind, deps: ApiDeps): void {
  bind(routes.mailboxes.states, ({ caller, request }) =>
    asCaller(deps, caller, async (tx) => (await readStates(tx)).map((row) => stateOf(row, localeOf(request)))),
  );

  bind(routes.mailboxes.test, async ({ caller, request, body }) => {
    const read = mailboxServerSchema.safeParse(body.settings, { reportInput: true });
    if (!read.success) throw new InvalidRequestError(faultsOf(read.error, 'settings'), 422);
    const { subscriberId } = caller;
    const { password } = await asCaller(deps, caller, async (tx) => {
      const stored = body.id === undefined ? undefined : await storedSettings(tx, 'inboundEmail', body.id);
      const settings = read.data;
      return secretToTry(tx, deps, { kind: 'inboundEmail', subscriberId, given: body.settings, settings, stored });
    });
    const signal = AbortSignal.any([AbortSignal.timeout(trialMs), deps.stopping]);
    const addressOf = mailboxAddress(deps.env.outboundAllowedHosts);
    const { failed, ...trial } = await tryMailbox(read.data, { password: String(password), addressOf, signal });
    if (!failed) return { ...trial, failed };
    const { stage, code, params } = failed;
    return { ...trial, failed: { stage, code, message: sentence(contractMessages, localeOf(request), code, params) } };
  });
}
