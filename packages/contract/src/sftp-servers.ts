import { z } from 'zod';
import { idSchema } from './paging.ts';
import { profileRoutesOf } from './profiles.ts';
import { may, route } from './route.ts';
import { sourceFaults } from './sources.ts';

/** What is tried of a server of SFTP one after the other. */
export const sftpStages = ['name', 'connect', 'hostKey', 'signIn', 'list', 'readFile'] as const;
export type SftpStage = (typeof sftpStages)[number];

export const sftpServerRoutes = {
  ...profileRoutesOf('sftpServer'),
  test: route({
    method: 'POST',
    path: '/profiles/sftpServer-test',
    access: may('sftpServer.manage'),
    summary: 'Try the connection of an SFTP server stage by stage; changes nothing there',
    body: z.object({
      /** The stored server whose secrets are used where the placeholder for them is sent. */
      id: idSchema.optional(),
      settings: z.record(z.string(), z.unknown()),
    }),
    result: z.object({
      /** Where it ended; the message is in the reader's language. Null = every stage was passed. */
      failed: z.object({ stage: z.enum(sftpStages), code: z.enum(sourceFaults), message: z.string() }).nullable(),
      /** The key by which the server says who it is; null = it was not reached. */
      hostKey: z.string().nullable(),
      /** Files that lie directly in the folder; null = it was not listed. */
      files: z.number().int().nullable(),
    }),
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
};
