import { sftpDestination, sftpSecretSchema, sftpServerShape, triedHostKey } from '@pdf2press/sftp/server';
import { z } from 'zod';
import { deliveryContract } from '../delivery.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const settings = z.object({
  ...sftpServerShape,
  /** Reads every file back and compares it; without it only the size is compared. */
  readsBack: z.boolean().default(true),
});

/** A folder of a server, over SSH. */
export const sftpContract = deliveryContract({
  kind: 'sftp',
  settings,
  tried: settings.extend({ hostKey: triedHostKey }),
  secret: sftpSecretSchema,
  destination: sftpDestination,
  stages: ['name', 'connect', 'signIn', 'write', 'readBack', 'remove'],
  icon: 'M4 5h16v6H4zM4 13h16v6H4zM7 8h.01M7 16h.01M12 8h5M12 16h5',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
