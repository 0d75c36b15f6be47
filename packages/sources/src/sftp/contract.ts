import { namesField } from '@pdf2press/settings';
import { sftpSecretSchema, sftpServerShape, triedHostKey } from '@pdf2press/sftp/server';
import { z } from 'zod';
import { sourceContract } from '../source.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** The settings of a server, without its secret. Workflows choose folders below its own. */
export const sftpServerSchema = z.object(sftpServerShape);
/** What a trial needs: the first one finds out the key of the server. */
export const triedSftpServerSchema = sftpServerSchema.extend({ hostKey: triedHostKey });
export type TriedSftpServer = z.output<typeof triedSftpServerSchema>;

/** Names between slashes; none leads up. */
const isBelow = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..');

/** A folder of a server of SFTP. */
export const sftpContract = sourceContract({
  kind: 'sftp',
  version: 1,
  settings: z.object({
    connectionId: z.string().min(1).max(60).meta({ editor: 'reference', of: 'sftpServer' }),
    /** Below the folder of the server; empty = that folder itself. */
    path: z
      .string()
      .trim()
      .max(500)
      .default('')
      .refine(isBelow, { params: { code: 'value.invalid' } }),
    hasSubfolders: z.boolean().default(false),
    /** File names to take; `*` matches any characters. */
    include: namesField(['*']),
    exclude: namesField(['.*', '~*', '*.tmp', '*.part', '*.filepart', '*.crdownload']),
    /** A file is complete when its size and time have not changed between two polls, and for this many seconds. */
    stableSeconds: z.number().int().min(1).max(3600).default(10),
    /** What happens to a file after it was taken. */
    after: z.enum(['move', 'delete', 'leave']).default('move'),
  }),
  placeSettings: ['path'],
  connection: { profile: 'sftpServer', settings: sftpServerSchema, secret: sftpSecretSchema },
  sessionSource: 'CloudFolder',
  way: 'sftpFolder',
  isPolled: true,
  isRemote: true,
  findsRefused: true,
  limitSeconds: 60,
  icon: 'M4 5h16v6H4zM4 13h16v6H4zM7 8h.01M7 16h.01M12 8h5M12 16h5',
  group: 'folder',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
