/* What ties each noun's routes to their answers, a line each; the boot refuses a route that nobody bound. */

export { bindApiKeys } from './api-keys/routes.ts';
export { bindArrivals } from './arrivals/routes.ts';
export { bindAudit } from './audit/routes.ts';
export { bindAuth } from './auth/routes.ts';
export { bindDashboard } from './dashboard/routes.ts';
export { bindDeliveries } from './deliveries/routes.ts';
export { bindDiscussion } from './discussion/routes.ts';
export { bindEmbedTokens } from './embed-tokens/routes.ts';
export { bindHost } from './host/routes.ts';
export { bindMe } from './me/routes.ts';
export { bindSecondFactors } from './me/second-factor.ts';
export { bindOrganizations } from './organizations/routes.ts';
export { bindProfiles } from './profiles/routes.ts';
export { bindClientProofs } from './proofs/client-routes.ts';
export { bindProofs } from './proofs/routes.ts';
export { bindRetention } from './retention/routes.ts';
export { bindRoles } from './roles/routes.ts';
export { bindSessionMessages } from './session-messages/routes.ts';
export { bindSessionViews } from './session-views/routes.ts';
export { bindSessions } from './sessions/routes.ts';
export { bindSystem } from './system/routes.ts';
export { bindTrials } from './trials/routes.ts';
export { bindUploadPages } from './upload-pages/routes.ts';
export { bindUploads } from './uploads/routes.ts';
export { bindUsers } from './users/routes.ts';
export { bindWorkflows } from './workflows/routes.ts';
