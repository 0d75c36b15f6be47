import { type FeatureKey, type HostPermission, type Locale, type Permission, problem } from '@pdf2press/contract';
import type { SubscriberContext } from '@pdf2press/prisma';

/** Who makes a request: a signed-in person, a program with a key or a page inside another site's page. Read fresh from the database every five seconds. */
export interface Caller {
  kind: 'user' | 'apiKey' | 'embed';
  /** Of the user, the key or the embed token. */
  id: string;
  /** The person; for a key or an embed token the one who made it, null when that person is gone. */
  userId: string | null;
  /** The signed-in session, for people. */
  userSessionId: string | null;
  name: string;
  email: string;
  locale: Locale;
  subscriberId: string;
  permissions: ReadonlySet<Permission>;
  hostPermissions: ReadonlySet<HostPermission>;
  features: ReadonlySet<FeatureKey>;
  /** Of a person; a key or an embed token has none. */
  roleIds: readonly string[];
  /** A role demands a second factor and there is none: nothing else is possible until it is set up. Of people only. */
  mustSetUpSecondFactor: boolean;
  /** Given = sees only what belongs to these organizations. */
  organizationIds?: readonly string[];
}

/** What the database is told about the caller. */
export const contextOf = (caller: Caller): SubscriberContext => ({
  subscriberId: caller.subscriberId,
  ...(caller.userId ? { userId: caller.userId } : {}),
  ...(caller.organizationIds ? { organizationIds: caller.organizationIds } : {}),
});

/** How events and the audit name the caller. */
export const actorOf = (caller: Caller): Pick<Caller, 'kind' | 'id' | 'name'> => ({
  kind: caller.kind,
  id: caller.id,
  name: caller.name,
});

/**
 * What is about the whole subscriber is not for people who see some organizations only.
 * @throws ProblemError `access.denied`
 */
export function demandWhole({ organizationIds }: Caller): void {
  if (organizationIds) throw problem('access.denied', { permission: 'organizations' });
}
