import type { Permission, ProfileKind } from '@pdf2press/contract';
import { demand } from '../frame/access.ts';
import type { Caller } from '../frame/caller.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Settings of a kind that take another permission than the kind itself. */
const guarded: Partial<Record<ProfileKind, { names: readonly string[]; permission: Permission }>> = {
  // Who names the bucket and its keys decides who gets the files.
  archiving: { names: ['bucketName', 'region', 'accessKey', 'secretKey'], permission: 'settings.archiving.manage' },
};

/**
 * Demands the permission for settings that are to change. Without `stored` the profile is new; versions that were stored
 * before there was such a setting have an empty one.
 * @throws ProblemError `access.denied`
 */
export function demandGuarded(caller: Caller, kind: ProfileKind, settings: Settings, stored: Settings = {}): void {
  const rule = guarded[kind];
  if (rule?.names.some((name) => (settings[name] ?? '') !== (stored[name] ?? ''))) demand(caller, rule.permission);
}
