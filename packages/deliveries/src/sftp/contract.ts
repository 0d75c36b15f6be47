import { z } from 'zod';
import { deliveryContract } from '../delivery.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const settings = z.object({
  host: z.string().trim().min(1).max(200),
  port: z.number().int().min(1).max(65_535).default(22),
  username: z.string().trim().min(1).max(200),
  /** Below the folder that one is in after signing in, unless it begins with a slash; it must exist. */
  path: z.string().trim().max(200).default(''),
  /** The server's key, as `SHA256:…`, known from the first trial; another one is refused. */
  hostKey: z
    .string()
    .trim()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/),
  /** Reads every file back and compares it; without it only the size is compared. */
  readsBack: z.boolean().default(true),
});

/** A folder of a server, over SSH. */
export const sftpContract = deliveryContract({
  kind: 'sftp',
  settings,
  tried: settings.extend({ hostKey: z.string().trim().max(100).default('') }),
  secret: z
    .object({
      password: z.string().max(1000).default(''),
      /** In the form of OpenSSH or PEM. */
      privateKey: z.string().max(20_000).default(''),
      passphrase: z.string().max(1000).default(''),
    })
    .refine(({ password, privateKey }) => password !== '' || privateKey !== '', { path: ['password'] }),
  destination: ['host', 'port', 'username', 'hostKey'],
  stages: ['name', 'connect', 'signIn', 'write', 'readBack', 'remove'],
  icon: 'M4 5h16v6H4zM4 13h16v6H4zM7 8h.01M7 16h.01M12 8h5M12 16h5',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
