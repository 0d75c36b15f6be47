import { type Permission, problem, type Route } from '@pdf2press/contract';
import type { Caller } from './caller.ts';

/** @throws ProblemError `access.denied` naming the missing permission */
export function demand(caller: Caller, permission: Permission): void {
  if (!caller.permissions.has(permission)) throw problem('access.denied', { permission });
}

/**
 * Whether the caller may use the route: signed in, permitted, and the feature in the plan.
 * @throws ProblemError `auth.tokenInvalid`, `auth.secondFactorMissing`, `access.denied`, `access.featureNotInPlan`
 */
export function checkAccess(route: Route, caller: Caller | null): void {
  const { access } = route;
  if (access.kind === 'public') return;
  if (!caller) throw problem('auth.tokenInvalid');
  if (caller.mustSetUpSecondFactor && !route.isBeforeSecondFactor) throw problem('auth.secondFactorMissing');
  // The own account is the one of the token's maker: an embedded page must neither read nor change it.
  if (access.kind === 'signedIn' && caller.kind === 'embed' && !route.isEmbeddable)
    throw problem('access.denied', { permission: 'signedIn' });
  if (access.kind === 'permission' && !access.anyOf.some((permission) => caller.permissions.has(permission)))
    throw problem('access.denied', { permission: access.anyOf.join(', ') });
  if (access.kind === 'host' && !caller.hostPermissions.has(access.permission))
    throw problem('access.denied', { permission: access.permission });
  if (route.feature && !caller.features.has(route.feature)) throw problem('access.featureNotInPlan');
}
