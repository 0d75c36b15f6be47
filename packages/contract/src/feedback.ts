import { z } from 'zod';
import { route, signedIn } from './route.ts';

/** Characters of a picture of the screen as a data address: a megabyte of picture. */
export const longestPicture = 1_400_000;

const feedbackBodySchema = z.object({
  text: z.string().trim().min(1).max(5000),
  /** A PNG or JPEG as a data address. */
  picture: z
    .string()
    .max(longestPicture)
    .regex(/^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/)
    .nullable()
    .default(null),
  /** Where and with what it was written. */
  context: z
    .object({
      path: z.string().max(2000).default(''),
      browser: z.string().max(1000).default(''),
      window: z.string().max(50).default('').describe('Width × height in CSS pixels'),
    })
    .prefault({}),
});
export type FeedbackBody = z.infer<typeof feedbackBodySchema>;

/** What people who work with the product have to say about it; it goes by mail to the address in the settings. */
export const feedbackRoutes = {
  ask: route({
    method: 'GET',
    path: '/feedback',
    access: signedIn,
    summary: 'Whether an address is set that feedback goes to',
    result: z.object({ isSetUp: z.boolean() }),
  }),
  send: route({
    method: 'POST',
    path: '/feedback',
    access: signedIn,
    summary: 'Send feedback by mail to the address in the settings; the picture goes along as an attachment',
    body: feedbackBodySchema,
    result: z.object({}),
    bodyBytes: 2 * 1024 * 1024,
    rateLimit: { max: 20, windowSeconds: 3600 },
  }),
};
