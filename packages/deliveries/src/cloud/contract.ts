import { cloudIdSchema } from '@pdf2press/contract';
import { z } from 'zod';
import { deliveryContract } from '../delivery.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A folder of a GoogleDrive or OneDrive, with those of shared drives and SharePoint libraries, by a connected cloud storage. */
export const cloudContract = deliveryContract({
  kind: 'cloud',
  settings: z.object({
    connectionId: z.string().min(1).max(60).meta({ editor: 'reference', of: 'cloudStorage' }),
    folder: z
      .object({
        /** The drive or library that it lies in; empty = the account's own drive. */
        driveId: cloudIdSchema.default(''),
        folderId: cloudIdSchema.min(1),
        /** How people know it; shown only. */
        path: z.string().max(1000).default(''),
      })
      .meta({ editor: 'cloudFolder' }),
  }),
  // What the account has allowed is kept with the cloud storage.
  secret: z.object({}),
  destination: ['connectionId'],
  stages: ['signIn', 'write', 'readBack', 'remove'],
  icon: 'M7 18a4.5 4.5 0 0 1-.5-8.97A6 6 0 0 1 18 8.5a4.75 4.75 0 0 1-.5 9.5M12 20v-8M9 15l3-3l3 3',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
