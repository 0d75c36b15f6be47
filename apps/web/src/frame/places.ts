import type { FeatureKey, Permission } from '@pdf2press/contract';
import type { ComponentType } from 'react';
import { askForSessions } from '../sessions/ask-early.ts';

/** The entries of the navigation; the key is also the name of its words: `nav.<key>`. */
export type NavKey =
  | 'dashboard'
  | 'sessions'
  | 'workflows'
  | 'preflight'
  | 'fix'
  | 'impose'
  | 'proofing'
  | 'email'
  | 'communication'
  | 'retention'
  | 'cloudStorage'
  | 'renaming'
  | 'organizations'
  | 'users'
  | 'roles'
  | 'settings'
  | 'notifications';

export interface Place {
  name: string;
  path: string;
  layout: 'default' | 'blank';
  /** Public on purpose, for whoever is signed in, or for holders of any one of the permissions. */
  access: 'public' | 'signedIn' | readonly [Permission, ...Permission[]];
  /** List pages and the canvas use the whole width (specification §2). */
  width?: 'fluid';
  /** No footer and a main area as high as the window: the canvas, the session. */
  height?: 'fixed';
  /** The entry that is lit in the navigation. */
  nav?: NavKey;
  feature?: FeatureKey;
  /** The screen, in a chunk of its own. A place without one is of an area that comes later. */
  load?: () => Promise<ComponentType>;
  /** Asks for what the screen will ask first, as soon as its address is known. */
  ask?: (address: URL) => void;
}

const list = { layout: 'default', width: 'fluid' } as const;
const form = { layout: 'default' } as const;
const open = { layout: 'blank', access: 'public' } as const;

const sessions = async () => (await import('../sessions/sessions-screen.tsx')).SessionsScreen;
const session = async () => (await import('../sessions/session-screen.tsx')).SessionScreen;
const workflows = async () => (await import('../workflows/workflows-screen.tsx')).WorkflowsScreen;
const workflow = async () => (await import('../workflows/workflow-screen.tsx')).WorkflowScreen;
const preflights = async () => (await import('../preflight/preflight-profiles-screen.tsx')).PreflightProfilesScreen;
const preflight = async () => (await import('../preflight/preflight-profile-screen.tsx')).PreflightProfileScreen;
const fixes = async () => (await import('../fix/fix-profiles-screen.tsx')).FixProfilesScreen;
const fix = async () => (await import('../fix/fix-profile-screen.tsx')).FixProfileScreen;
const imposes = async () => (await import('../impose/impose-profiles-screen.tsx')).ImposeProfilesScreen;
const impose = async () => (await import('../impose/impose-profile-screen.tsx')).ImposeProfileScreen;
const users = async () => (await import('../users/users-screen.tsx')).UsersScreen;
const user = async () => (await import('../users/user-screen.tsx')).UserScreen;
const profile = async () => (await import('../account/my-profile-screen.tsx')).MyProfileScreen;
const roles = async () => (await import('../roles/roles-screen.tsx')).RolesScreen;
const role = async () => (await import('../roles/role-screen.tsx')).RoleScreen;
const settings = async () => (await import('../settings/settings-screen.tsx')).SettingsScreen;
const notifications = async () => (await import('../notifications/notifications-screen.tsx')).NotificationsScreen;
const login = async () => (await import('../account/login-screen.tsx')).LoginScreen;
const forgot = async () => (await import('../account/forgot-password-screen.tsx')).ForgotPasswordScreen;
const reset = async () => (await import('../account/reset-password-screen.tsx')).ResetPasswordScreen;
const setup = async () => (await import('../account/setup-screen.tsx')).SetupScreen;

/** Every route of the specification (§2), and the set-up of the first administrator. */
export const places: readonly Place[] = [
  { name: 'dashboard', path: '/dashboard', ...form, access: 'signedIn', nav: 'dashboard' },

  {
    name: 'sessions',
    path: '/workflows/sessions',
    ...list,
    access: ['sessions.view'],
    nav: 'sessions',
    load: sessions,
    ask: askForSessions,
  },
  {
    name: 'session-view',
    path: '/workflows/session/:id',
    ...list,
    height: 'fixed',
    access: ['sessions.view'],
    nav: 'sessions',
    load: session,
  },
  { name: 'workflows', path: '/workflows', ...list, access: ['workflows.view'], nav: 'workflows', load: workflows },
  {
    name: 'workflow-form',
    path: '/workflows/:action/:id?',
    ...list,
    height: 'fixed',
    access: ['workflows.view'],
    nav: 'workflows',
    load: workflow,
  },

  { name: 'preflight', path: '/preflight', ...list, access: ['preflight.view'], nav: 'preflight', load: preflights },
  {
    name: 'preflight-form',
    path: '/preflight/:action/:id?',
    ...form,
    access: ['preflight.view'],
    nav: 'preflight',
    load: preflight,
  },
  { name: 'fix', path: '/fix', ...list, access: ['fix.view'], nav: 'fix', load: fixes },
  { name: 'fix-form', path: '/fix/:action/:id?', ...form, access: ['fix.view'], nav: 'fix', load: fix },
  {
    name: 'impose',
    path: '/impose',
    ...list,
    access: ['impose.view'],
    nav: 'impose',
    feature: 'Imposition',
    load: imposes,
  },
  {
    name: 'impose-form',
    path: '/impose/:action/:id?',
    ...form,
    access: ['impose.view'],
    nav: 'impose',
    feature: 'Imposition',
    load: impose,
  },
  { name: 'proofing', path: '/proofing', ...list, access: ['proofing.view'], nav: 'proofing' },
  { name: 'proofing-form', path: '/proofing/:action/:id?', ...form, access: ['proofing.view'], nav: 'proofing' },
  { name: 'email', path: '/email', ...list, access: ['inboundEmail.view'], nav: 'email', feature: 'EmailInjection' },
  {
    name: 'email-form',
    path: '/email/:action/:id?',
    ...form,
    access: ['inboundEmail.view'],
    nav: 'email',
    feature: 'EmailInjection',
  },
  { name: 'communication', path: '/communication', ...list, access: ['communication.view'], nav: 'communication' },
  {
    name: 'communication-form',
    path: '/communication/:action/:id?',
    ...form,
    access: ['communication.view'],
    nav: 'communication',
  },
  {
    name: 'cloud-storage',
    path: '/cloud-storage',
    ...list,
    access: ['cloudStorage.view'],
    nav: 'cloudStorage',
    feature: 'CloudInjection',
  },
  {
    name: 'cloud-storage-form',
    path: '/cloud-storage/:action/:id?',
    ...form,
    access: ['cloudStorage.view'],
    nav: 'cloudStorage',
    feature: 'CloudInjection',
  },
  { name: 'retention', path: '/retention', ...list, access: ['retention.view'], nav: 'retention' },
  { name: 'retention-form', path: '/retention/:action/:id?', ...form, access: ['retention.view'], nav: 'retention' },
  {
    name: 'retention-files-details-id',
    path: '/retention/details/:id/:session?',
    ...list,
    access: ['retention.view'],
    nav: 'retention',
  },
  { name: 'rename', path: '/rename', ...list, access: ['renaming.view'], nav: 'renaming', feature: 'FileRenaming' },

  { name: 'organization', path: '/organization', ...list, access: ['organizations.view'], nav: 'organizations' },
  {
    name: 'organization-form',
    path: '/organization/:action/:id?',
    ...form,
    access: ['organizations.view'],
    nav: 'organizations',
  },
  { name: 'user', path: '/user', ...list, access: ['users.view'], nav: 'users', load: users },
  { name: 'user-form', path: '/user/:action/:id?', ...form, access: ['users.view'], nav: 'users', load: user },
  { name: 'my-profile', path: '/user/my-profile', ...form, access: 'signedIn', load: profile },
  { name: 'role', path: '/role', ...list, access: ['roles.view'], nav: 'roles', load: roles },
  { name: 'role-form', path: '/role/:action/:id?', ...form, access: ['roles.view'], nav: 'roles', load: role },
  { name: 'settings', path: '/settings', ...form, access: ['settings.view'], nav: 'settings', load: settings },
  {
    name: 'notification',
    path: '/notification',
    ...form,
    access: 'signedIn',
    nav: 'notifications',
    load: notifications,
  },
  { name: 'test', path: '/test', ...form, access: ['settings.general.manage'] },

  { name: 'login', path: '/login', ...open, load: login },
  { name: 'forgot-password', path: '/forgot-password', ...open, load: forgot },
  { name: 'reset-password', path: '/reset-password', ...open, load: reset },
  { name: 'setup', path: '/setup', ...open, load: setup },
  { name: 'client-proofing', path: '/client-proofing/:sessionId/:proofStepId', ...open },
  { name: 'upload', path: '/upload/:user', ...open },
  { name: 'demo', path: '/demo', ...open },
  { name: 'demo-old', path: '/demonstration', ...open },
  { name: 'cloud-storage-callback', path: '/cloud-storage/callback', ...open },
  { name: 'email-callback', path: '/email/callback', ...open },
];

/** Whether someone who holds these permissions may open the place. */
export const mayOpen = ({ access }: Place, held: readonly string[]): boolean =>
  typeof access === 'string' || access.some((wanted) => held.includes(wanted));

/**
 * Where `/` leads: to the dashboard (specification §2) once that has a screen, until then to the first entry of the
 * navigation that is the visitor's.
 */
export const homeOf = (held: readonly string[]): string =>
  places.find((place) => place.nav && place.load && mayOpen(place, held))?.path ?? '/user/my-profile';
