/* Every noun's routes by its name in the API, a line each. */

export { apiKeyRoutes as apiKeys } from './api-keys.ts';
export { archivingProfileRoutes as archivingProfiles, archivingRoutes as archiving } from './archiving.ts';
export { arrivalRoutes as arrivals } from './arrival-routes.ts';
export { auditRoutes as audit } from './audit.ts';
export { authRoutes as auth } from './auth.ts';
export { backupRoutes as backups } from './backups.ts';
export { clientProofRoutes as clientProofs } from './client-proofs.ts';
export { cloudStorageRoutes as cloudStorages } from './cloud-storage.ts';
export {
  communicationProfileRoutes as communicationProfiles,
  sessionMessageRoutes as sessionMessages,
} from './communication.ts';
export { dashboardRoutes as dashboard } from './dashboard.ts';
export { deliveredFileRoutes as deliveredFiles } from './delivered-files.ts';
export { deliveryRoutes as deliveries, deliveryTargetRoutes as deliveryTargets } from './deliveries.ts';
export { discussionRoutes as discussion } from './discussion.ts';
export { embedTokenRoutes as embedTokens } from './embed-tokens.ts';
export { feedbackRoutes as feedback } from './feedback.ts';
export { fontRoutes as fonts } from './fonts.ts';
export { hostRoutes as host } from './host.ts';
export { mailboxRoutes as mailboxes } from './mailboxes.ts';
export { organizationRoutes as organizations } from './organizations.ts';
export { passkeyRoutes as passkeys } from './passkeys.ts';
export { roleRoutes as roles, userRoutes as users } from './people.ts';
export { personRoutes as persons } from './persons.ts';
export {
  fixProfileRoutes as fixProfiles,
  imposeProfileRoutes as imposeProfiles,
  preflightProfileRoutes as preflightProfiles,
  proofingProfileRoutes as proofingProfiles,
  renamingProfileRoutes as renamingProfiles,
} from './profiles.ts';
export { proofRoutes as proofs } from './proofs.ts';
export { releaseRoutes as releases } from './releases.ts';
export { retentionProfileRoutes as retentionProfiles, retentionRoutes as retention } from './retention.ts';
export { secondFactorRoutes as secondFactors } from './second-factor.ts';
export { sessionRoutes as sessions } from './session-routes.ts';
export { sessionViewRoutes as sessionViews } from './session-views.ts';
export { sftpServerRoutes as sftpServers } from './sftp-servers.ts';
export { singleSignOnRoutes as singleSignOn } from './single-sign-on.ts';
export { systemRoutes as system, uploadRoutes as uploads } from './system.ts';
export { trialRoutes as trials } from './trials.ts';
export { uploadPageRoutes as uploadPages } from './upload-pages.ts';
export { webhookRoutes as webhooks } from './webhooks.ts';
export { workflowRoutes as workflows } from './workflows.ts';
