import { z } from 'zod';
import { exportOf } from './list-export.ts';
import { localeSchema } from './locale-schema.ts';
import { idParamsSchema, idSchema, listOf, nameSchema, pageOf, pagingSchema, sortedBy, timeSchema } from './paging.ts';
import { permissionSchema } from './permissions.ts';
import { may, route } from './route.ts';
import { userImportRoute } from './user-import.ts';

/** A user; the password is accepted and never returned. */
export const userSchema = z.object({
  id: idSchema,
  firstName: z.string(),
  lastName: z.string(),
  userName: z.string(),
  email: z.string(),
  phone: z.string(),
  locale: localeSchema,
  isActive: z.boolean(),
  isLocked: z.boolean(),
  hasSecondFactor: z.boolean(),
  roles: z.array(z.object({ id: idSchema, name: z.string() })),
  createdAt: timeSchema,
  lastLoginAt: timeSchema.nullable(),
  /** Newest call of a signed-in session, to the minute, or newest sign-in; null = never signed in. */
  lastSeenAt: timeSchema.nullable(),
});
export type User = z.infer<typeof userSchema>;

/** What a person is called: first and last name, else the e-mail address. */
export const personName = ({ firstName, lastName, email }: Pick<User, 'firstName' | 'lastName' | 'email'>): string =>
  `${firstName} ${lastName}`.trim() || email;

const userBodySchema = z.object({
  firstName: z.string().trim().min(1).max(100),
  lastName: z.string().trim().max(100).default(''),
  userName: z.string().trim().max(100).default(''),
  email: z.string().trim().max(254).pipe(z.email()),
  phone: z.string().trim().max(50).default(''),
  locale: localeSchema.default('en'),
  isActive: z.boolean().default(true),
  roleIds: z.array(idSchema).max(50).default([]),
  /** Absent keeps the password; a new user without one gets an activation e-mail to choose one. */
  password: z.string().max(1000).optional(),
  /** The password as it was typed again, which must be the same; who sends none has nobody type it twice. */
  passwordConfirmation: z.string().max(1000).optional(),
  sendActivationEmail: z.boolean().default(true),
});

/** What the list of users is sorted by; a name is the last name, then the first. */
export const userSorts = ['name', 'state', 'roles', 'secondFactor', 'lastLogin', 'lastSeen'] as const;
export type UserSort = (typeof userSorts)[number];

/** How an account stands. Whoever is locked out is neither of the others. */
export const userStates = ['active', 'inactive', 'locked'] as const;
export type UserState = (typeof userStates)[number];

const userQuerySchema = pagingSchema.extend({
  ...sortedBy(userSorts),
  states: listOf(z.enum(userStates)),
  roleIds: listOf(idSchema).describe('Who has one of these roles'),
});

export const userRoutes = {
  list: route({
    method: 'GET',
    path: '/users',
    access: may('users.view'),
    summary: 'Users',
    query: userQuerySchema,
    result: pageOf(userSchema),
  }),
  export: exportOf('/users', may('users.view'), userQuerySchema.omit({ page: true, pageSize: true })),
  get: route({
    method: 'GET',
    path: '/users/:id',
    access: may('users.view'),
    summary: 'One user',
    params: idParamsSchema,
    result: userSchema,
  }),
  create: route({
    method: 'POST',
    path: '/users',
    access: may('users.manage'),
    summary: 'Create a user',
    body: userBodySchema,
    /** The link with which the user chooses a password: only here and only now, and only while no mail server would send it. */
    result: userSchema.extend({ activationLink: z.string().nullable() }),
    status: 201,
  }),
  update: route({
    method: 'PUT',
    path: '/users/:id',
    access: may('users.manage'),
    summary: 'Change a user; a change of roles needs users.roles.assign',
    params: idParamsSchema,
    body: userBodySchema,
    result: userSchema,
  }),
  remove: route({
    method: 'DELETE',
    path: '/users/:id',
    access: may('users.delete'),
    summary: 'Delete a user',
    params: idParamsSchema,
    result: z.object({}),
  }),
  unlock: route({
    method: 'POST',
    path: '/users/:id/unlock',
    access: may('users.unlock'),
    summary: 'Unlock an account',
    params: idParamsSchema,
    result: userSchema,
  }),
  revokeSessions: route({
    method: 'POST',
    path: '/users/:id/sessions/revoke',
    access: may('users.sessions.revoke'),
    summary: 'Sign a person out on all devices; API keys and embed tokens stay',
    params: idParamsSchema,
    result: z.object({}),
  }),
  resetSecondFactor: route({
    method: 'POST',
    path: '/users/:id/second-factor/reset',
    access: may('users.manage'),
    summary:
      'Remove the second factor of a person who lost app and recovery codes; they are told, and signed out everywhere',
    params: idParamsSchema,
    result: userSchema,
  }),
  import: userImportRoute,
};

export const roleSchema = z.object({
  id: idSchema,
  name: z.string(),
  permissions: z.array(permissionSchema),
  /** Assigned to new users. */
  isDefault: z.boolean(),
  /** Cannot be deleted. */
  isStatic: z.boolean(),
  /** Whoever has the role signs in with a second factor. */
  requiresSecondFactor: z.boolean(),
  userCount: z.number().int(),
});
export type Role = z.infer<typeof roleSchema>;

const roleBodySchema = z.object({
  name: nameSchema,
  permissions: z.array(permissionSchema),
  isDefault: z.boolean().default(false),
  /** Absent keeps it; a new role does not require it. */
  requiresSecondFactor: z.boolean().optional(),
});

/** What the list of roles is sorted by; the kind is the marks that a role bears. */
export const roleSorts = ['name', 'kind', 'permissions', 'users'] as const;
export type RoleSort = (typeof roleSorts)[number];

const roleQuerySchema = pagingSchema.extend(sortedBy(roleSorts));

export const roleRoutes = {
  list: route({
    method: 'GET',
    path: '/roles',
    access: may('roles.view'),
    summary: 'Roles',
    query: roleQuerySchema,
    result: pageOf(roleSchema),
  }),
  export: exportOf('/roles', may('roles.view'), roleQuerySchema.omit({ page: true, pageSize: true })),
  get: route({
    method: 'GET',
    path: '/roles/:id',
    access: may('roles.view'),
    summary: 'A role',
    params: idParamsSchema,
    result: roleSchema,
  }),
  create: route({
    method: 'POST',
    path: '/roles',
    access: may('roles.manage'),
    summary: 'Create a role; a caller cannot grant permissions that they do not have',
    body: roleBodySchema,
    result: roleSchema,
    status: 201,
  }),
  update: route({
    method: 'PUT',
    path: '/roles/:id',
    access: may('roles.manage'),
    summary: 'Change a role',
    params: idParamsSchema,
    body: roleBodySchema,
    result: roleSchema,
  }),
  remove: route({
    method: 'DELETE',
    path: '/roles/:id',
    access: may('roles.delete'),
    summary: 'Delete a role and unassign it from all users',
    params: idParamsSchema,
    result: z.object({}),
  }),
};
