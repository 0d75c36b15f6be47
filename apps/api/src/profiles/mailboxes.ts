import {
  contractMessages,
  type Locale,
  type MailboxState,
  type MailService,
  type mailboxSorts,
  mailServices,
  routes,
  sentence,
} from '@pdf2press/contract';
import { sourceAddress } from '@pdf2press/engine';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import {
  type MailboxServer,
  mailboxServerSchema,
  mailboxSettingsSchema,
  unfilledVariables,
} from '@pdf2press/sources/contracts';
import { mailProvider, mailScopes, tryMailbox } from '@pdf2press/sources/mailbox';
import { cloudAppOf } from '@pdf2press/sources/sign-in';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { faultsOf, InvalidRequestError } from '../frame/read-part.ts';
import type { Order } from '../frame/sorted-page.ts';
import { organizationOrder } from '../organizations/made-for.ts';
import { consentTarget, secretToTry } from './connection-secrets.ts';
import { bindConsents, type ConsentKind, consentTools, grantOf, redirectOf, servicesOf, signalOf } from './consents.ts';
import { publishedVariables, variablesOf } from './filled-variables.ts';
import { stateOrders } from './state-orders.ts';
import { storedSettings } from './stored-settings.ts';

const kind = 'inboundEmail';

interface StateRow {
  id: string;
  signInWith: string | null;
  account: string | null;
  isConnected: boolean;
  isEnabled: boolean;
  workflowId: string | null;
  workflowName: string | null;
  isTaking: boolean;
  lastOkAt: Date | null;
  dueAt: Date | null;
  failingSince: Date | null;
  errorCode: string | null;
  errorParams: Record<string, string | number> | null;
  paused: MailboxState['paused'];
  settings: unknown;
  isPublished: boolean;
  variables: unknown;
}

/** What is known of the polling of each mailbox; its rules are those of `listMailboxes`. */
const states = Prisma.sql`
  select profile.id, version.settings @> '{"isEnabled": true}' as "isEnabled",
         version.settings ->> 'signInWith' as "signInWith", version.settings ->> 'account' as account,
         version.settings ->> 'secretId' is not null as "isConnected",
         workflow.id as "workflowId", workflow.name as "workflowName",
         coalesce(workflow.is_enabled, false) and not coalesce(jsonb_path_exists(published.definition,
           '$.steps[*] ? (@.kind == "Inject").settings.ways ? (@.email == false)'), true) as "isTaking",
         inlet.last_ok_at as "lastOkAt", inlet.due_at as "dueAt", inlet.failing_since as "failingSince",
         inlet.error_code as "errorCode", inlet.error_params as "errorParams",
         version.settings, published.no is not null as "isPublished", published.definition -> 'variables' as variables
    from profiles profile
    join profile_versions version on version.profile_id = profile.id and version.no = profile.current_no
    left join workflows workflow on workflow.id = version.settings ->> 'workflowId' and workflow.deleted_at is null
    left join workflow_versions published on published.workflow_id = workflow.id and published.no = workflow.published_no
    left join inlets inlet on inlet.connection_id = profile.id and inlet.kind = 'email'
   where profile.kind = 'inboundEmail' and profile.deleted_at is null`;

/** The states with why a mailbox is not looked into. */
const pausedStates = Prisma.sql`
  select state.*, case when not state."isEnabled" then 'off' when not state."isConnected" then 'connection'
                       when not state."isTaking" then 'workflow' end as paused
    from (${states}) state`;

const readStates = (tx: Transaction) => tx.$queryRaw<StateRow[]>(Prisma.sql`${pausedStates} order by id`);

const join = Prisma.sql`left join (${pausedStates}) state on state.id = listed.id`;
/** What the list is sorted by. */
export const mailboxOrders: Readonly<Record<(typeof mailboxSorts)[number], Order>> = {
  name: { by: Prisma.sql`listed.name` },
  organization: organizationOrder,
  workflow: { join, by: Prisma.sql`state."workflowName"` },
  ...stateOrders(join),
};

const serviceOf = ({ signInWith }: Pick<StateRow, 'signInWith'>): MailService | undefined =>
  mailServices.find((service) => service === signInWith);

/** Of a workflow that is not published nothing is known yet. */
function unfilledOf({ settings, isPublished, variables }: StateRow, locale: Locale): MailboxState['unfilled'] {
  const read = mailboxSettingsSchema.safeParse(settings);
  if (!isPublished || !read.success) return [];
  return unfilledVariables(read.data, variablesOf(variables)).map(({ field, code, params }) => ({
    ...{ field, code },
    message: sentence(contractMessages, locale, code, params),
  }));
}

function stateOf(row: StateRow, locale: Locale): MailboxState {
  const { id, account, isConnected, workflowId, workflowName, lastOkAt, dueAt, failingSince, errorCode } = row;
  const { paused } = row;
  const service = serviceOf(row) ?? null;
  return {
    id,
    service,
    account: service && isConnected ? (account ?? '') : null,
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
    unfilled: unfilledOf(row, locale),
  };
}

const consent: ConsentKind = {
  kind,
  routes: routes.mailboxes,
  purpose: 'mail.consent',
  leadsBack: '/email/callback',
  asks: ({ env }, stored) => {
    const { signInWith, username } = mailboxSettingsSchema.parse(stored);
    if (signInWith === 'password')
      throw new InvalidRequestError([{ code: 'value.invalid', field: 'settings.signInWith' }], 422);
    const provider = mailProvider(signInWith);
    const scopes = mailScopes(signInWith, cloudAppOf(env.cloudApps, provider));
    return { provider, wanted: {}, scopes, account: username };
  },
  accept: async ({ stored, redeemed: { refreshToken, account } }) => ({
    grant: { refreshToken },
    account: account ?? mailboxSettingsSchema.parse(stored).username,
  }),
};

/** The secret to try a mailbox with: the password that was sent or is stored, or the grant of its account. */
async function secretOf(
  tx: Transaction,
  deps: ApiDeps,
  { subscriberId, given, settings, stored }: Trying,
): Promise<unknown> {
  if (settings.signInWith === 'password') return secretToTry(tx, deps, { kind, subscriberId, given, settings, stored });
  // A grant is sent to the server that it was given for, and to no other.
  const isSame = stored && consentTarget(kind, settings) === consentTarget(kind, stored);
  return isSame ? grantOf(tx, deps, subscriberId, stored) : undefined;
}

interface Trying {
  subscriberId: string;
  given: Record<string, unknown>;
  settings: MailboxServer;
  stored: Record<string, unknown> | undefined;
}

export function bindMailboxes(bind: Bind, deps: ApiDeps): void {
  bindConsents(bind, deps, consent);

  bind(routes.mailboxes.states, ({ caller, request }) =>
    asCaller(deps, caller, async (tx) => (await readStates(tx)).map((row) => stateOf(row, localeOf(request)))),
  );

  bind(routes.mailboxes.workflowVariables, ({ caller, query }) =>
    asCaller(deps, caller, async (tx) => ({ variables: await publishedVariables(tx, query.workflowId) })),
  );

  bind(routes.mailboxes.services, async () => ({
    redirect: redirectOf(deps, consent.leadsBack),
    services: servicesOf(deps, mailServices, mailProvider),
  }));

  bind(routes.mailboxes.test, async ({ caller, request, body }) => {
    const read = mailboxServerSchema.safeParse(body.settings, { reportInput: true });
    if (!read.success) throw new InvalidRequestError(faultsOf(read.error, 'settings'), 422);
    const { subscriberId } = caller;
    const { secret, stored } = await asCaller(deps, caller, async (tx) => {
      const before = body.id === undefined ? undefined : await storedSettings(tx, kind, body.id);
      const about = { subscriberId, given: body.settings, settings: read.data, stored: before };
      return { secret: await secretOf(tx, deps, about), stored: before ?? {} };
    });
    const addressOf = sourceAddress(deps.env.outboundAllowedHosts);
    const tools = { ...consentTools(deps, caller, stored), addressOf };
    const { failed, ...trial } = await tryMailbox(read.data, { secret, tools, signal: signalOf(deps) });
    if (!failed) return { ...trial, failed };
    const { stage, code, params } = failed;
    return { ...trial, failed: { stage, code, message: sentence(contractMessages, localeOf(request), code, params) } };
  });
}
