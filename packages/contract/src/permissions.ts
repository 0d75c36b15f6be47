import { z } from 'zod';
import { type ProfileKind, profileKinds } from './enumerations.ts';

type ProfilePermission = `${ProfileKind}.${'view' | 'manage' | 'delete'}`;

const plainPermissions = [
  'dashboard.view',
  'dashboard.savings.view',
  'sessions.view',
  'sessions.inject',
  'sessions.files.download',
  'sessions.files.replace',
  'sessions.stop',
  'sessions.resume',
  'sessions.restart',
  'sessions.hold.decide',
  'sessions.route.decide',
  'sessions.discuss',
  'sessions.variables.overwrite',
  'sessions.archive',
  'sessions.unarchive',
  'sessions.delete',
  'workflows.view',
  'workflows.create',
  'workflows.edit',
  'workflows.delete',
  'workflows.enable',
  'workflows.actions.edit',
  'proofs.view',
  'proofs.decideOnBehalf',
  'proofs.links.manage',
  'proofs.comments.manage',
  'organizations.view',
  'organizations.manage',
  'organizations.delete',
  'organizations.uploadPage.manage',
  'users.view',
  'users.manage',
  'users.delete',
  'users.unlock',
  'users.sessions.revoke',
  'users.roles.assign',
  'roles.view',
  'roles.manage',
  'roles.delete',
  'settings.view',
  'settings.general.manage',
  'settings.security.manage',
  'settings.smtp.manage',
  'settings.archiving.manage',
  'apiKeys.manage',
  'embedTokens.manage',
  'webhooks.manage',
  'fonts.view',
  'fonts.manage',
  'fonts.delete',
  'storage.metrics.view',
  'data.export',
  'data.erase',
  'audit.view',
  'audit.export',
] as const;

export type Permission = (typeof plainPermissions)[number] | ProfilePermission;

/** The 91 permissions a role may carry. */
export const permissions: readonly Permission[] = [
  ...plainPermissions,
  ...profileKinds.flatMap((area) => (['view', 'manage', 'delete'] as const).map((act) => `${area}.${act}` as const)),
];
export const permissionSchema = z.enum(permissions as [Permission, ...Permission[]]);

/** A separate set: not assignable to a subscriber's roles. */
export const hostPermissions = [
  'notifications.system.manage',
  'host.subscribers.manage',
  'host.features.manage',
  'host.maintenance',
] as const;
export type HostPermission = (typeof hostPermissions)[number];

const starting = (...prefixes: string[]) =>
  permissions.filter((permission) => prefixes.some((prefix) => permission.startsWith(prefix)));
/** What somebody sees of the work itself; who did what is for administrators. */
export const isWorkView = (permission: Permission): boolean =>
  permission.endsWith('.view') && permission !== 'audit.view';
const viewing = permissions.filter(isWorkView);
const unique = (list: readonly Permission[]) => [...new Set(list)];

/** Roles that every subscriber starts with. `isStatic` ones cannot be deleted. */
export const defaultRoles: readonly {
  name: string;
  isStatic: boolean;
  isDefault: boolean;
  permissions: readonly Permission[];
}[] = [
  { name: 'Administrator', isStatic: true, isDefault: false, permissions },
  {
    name: 'Operator',
    isStatic: false,
    isDefault: true,
    permissions: unique([...viewing, ...starting('sessions.', 'proofs.')]),
  },
  {
    name: 'Prepress designer',
    isStatic: false,
    isDefault: false,
    permissions: unique([
      ...viewing,
      ...starting(
        'sessions.',
        'proofs.',
        'workflows.',
        'preflight.',
        'fix.',
        'fonts.',
        'impose.',
        'proofing.',
        'renaming.',
      ),
    ]),
  },
  {
    name: 'Customer service',
    isStatic: false,
    isDefault: false,
    permissions: unique([
      'sessions.view',
      'sessions.inject',
      'sessions.files.download',
      'sessions.discuss',
      ...starting('proofs.'),
    ]),
  },
  { name: 'Viewer', isStatic: false, isDefault: false, permissions: viewing },
];
