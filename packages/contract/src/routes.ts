import { apiKeyRoutes } from './api-keys.ts';
import { authRoutes } from './auth.ts';
import { embedTokenRoutes } from './embed-tokens.ts';
import { roleRoutes, userRoutes } from './people.ts';
import { fixProfileRoutes, imposeProfileRoutes, preflightProfileRoutes } from './profiles.ts';
import { sessionRoutes } from './sessions.ts';
import { systemRoutes, uploadRoutes } from './system.ts';
import { trialRoutes } from './trials.ts';
import { workflowRoutes } from './workflows.ts';

/** Every call of the product, by noun: the server binds this table and the client is typed from it. */
export const routes = {
  auth: authRoutes,
  apiKeys: apiKeyRoutes,
  embedTokens: embedTokenRoutes,
  users: userRoutes,
  roles: roleRoutes,
  workflows: workflowRoutes,
  preflightProfiles: preflightProfileRoutes,
  fixProfiles: fixProfileRoutes,
  imposeProfiles: imposeProfileRoutes,
  sessions: sessionRoutes,
  uploads: uploadRoutes,
  trials: trialRoutes,
  system: systemRoutes,
} as const;
