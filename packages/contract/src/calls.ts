/*
 * Exported for clients that only make calls: every route by its name, without its schemas, which are most of the contract
 * and need zod. A form that must be validated imports the contract's own route, which has the schema.
 */
import type { CallOf, Route } from './route.ts';
import { routes } from './routes.ts';

type CallsOf<T> = { readonly [Name in keyof T]: T[Name] extends Route ? CallOf<T[Name]> : never };

/**
 * The calls of a noun but those that only other programs make, and exports of lists, which follow from the lists: every page of
 * the app would load them for nothing.
 */
const callsOf = <T extends Record<string, Route>, Unasked extends keyof T = never>(
  table: T,
  ...unasked: readonly Unasked[]
) =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([name]) => !(unasked as readonly PropertyKey[]).includes(name))
      .map(([name, { method, path, access }]) => [name, { method, path, access: { kind: access.kind } }]),
  ) as CallsOf<Omit<T, Unasked>>;

export const authRoutes = callsOf(routes.auth);
export const apiKeyRoutes = callsOf(routes.apiKeys);
export const embedTokenRoutes = callsOf(routes.embedTokens);
export const archivingProfileRoutes = callsOf(routes.archivingProfiles, 'export');
export const archivingRoutes = callsOf(routes.archiving);
export const arrivalRoutes = callsOf(routes.arrivals, 'export');
export const auditRoutes = callsOf(routes.audit);
export const backupRoutes = callsOf(routes.backups);
export const releaseRoutes = callsOf(routes.releases);
export const dashboardRoutes = callsOf(routes.dashboard);
export const userRoutes = callsOf(routes.users, 'export');
export const personRoutes = callsOf(routes.persons);
export const roleRoutes = callsOf(routes.roles, 'export');
export const organizationRoutes = callsOf(routes.organizations, 'export');
export const workflowRoutes = callsOf(routes.workflows, 'validate', 'exportList');
export const preflightProfileRoutes = callsOf(routes.preflightProfiles, 'export');
export const fixProfileRoutes = callsOf(routes.fixProfiles, 'export');
export const webhookRoutes = callsOf(routes.webhooks);
export const fontRoutes = callsOf(routes.fonts, 'export');
export const imposeProfileRoutes = callsOf(routes.imposeProfiles, 'export');
export const proofingProfileRoutes = callsOf(routes.proofingProfiles, 'export');
export const communicationProfileRoutes = callsOf(routes.communicationProfiles, 'export');
export const passkeyRoutes = callsOf(routes.passkeys);
export const proofRoutes = callsOf(routes.proofs, 'certificateFile', 'notesCopyFile');
export const clientProofRoutes = callsOf(routes.clientProofs);
export const deliveredFileRoutes = callsOf(routes.deliveredFiles, 'file');
export const renamingProfileRoutes = callsOf(routes.renamingProfiles, 'export');
export const retentionProfileRoutes = callsOf(routes.retentionProfiles, 'export');
export const retentionRoutes = callsOf(routes.retention, 'export');
export const cloudStorageRoutes = callsOf(routes.cloudStorages, 'export');
export const mailboxRoutes = callsOf(routes.mailboxes, 'export');
export const deliveryRoutes = callsOf(routes.deliveries);
export const deliveryTargetRoutes = callsOf(routes.deliveryTargets, 'export');
export const sftpServerRoutes = callsOf(routes.sftpServers, 'export');
export const discussionRoutes = callsOf(routes.discussion);
export const sessionMessageRoutes = callsOf(routes.sessionMessages);
export const sessionViewRoutes = callsOf(routes.sessionViews);
export const sessionRoutes = callsOf(
  routes.sessions,
  'create',
  'stop',
  'resume',
  'restart',
  'cancel',
  'remove',
  'file',
);
export const singleSignOnRoutes = callsOf(routes.singleSignOn);
export const uploadRoutes = callsOf(routes.uploads, 'append', 'remove');
export const uploadPageRoutes = callsOf(routes.uploadPages);
export const trialRoutes = callsOf(routes.trials);
export const systemRoutes = callsOf(routes.system, 'settingsLowerCase', 'getSettings', 'cspReport', 'certificateKey');
