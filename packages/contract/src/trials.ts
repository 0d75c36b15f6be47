import { z } from 'zod';
import { idSchema } from './paging.ts';
import { may, route } from './route.ts';

/** Kinds of profile whose draft can be tried on a file before it is saved. */
export const trialKinds = ['preflight', 'fix', 'impose'] as const;
export const trialKindSchema = z.enum(trialKinds);
export type TrialKind = (typeof trialKinds)[number];

export const trialRoutes = {
  create: route({
    method: 'POST',
    path: '/trials',
    access: may('preflight.manage', 'fix.manage', 'impose.manage'),
    summary:
      'Try a profile’s draft on a file: multipart fields kind, settings (JSON) and file, or sessionId to use that session’s file. The result is read as a session; no list shows it and it is gone after a day',
    result: z.object({ id: idSchema }),
    status: 201,
  }),
};
