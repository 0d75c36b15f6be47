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
      'Run unsaved profile settings on a file: multipart fields kind, settings (JSON) and file, or sessionId to use the file of that session. The result is read as a session; it is in no list and is deleted after a day',
    result: z.object({ id: idSchema }),
    status: 201,
  }),
};
