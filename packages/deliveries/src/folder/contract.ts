import { z } from 'zod';
import { deliveryContract } from '../delivery.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A folder of the server, or one of the network that is mounted there. */
export const folderContract = deliveryContract({
  kind: 'folder',
  settings: z.object({
    /** Relative to the folder that is set aside for deliveries (`DELIVERY_FOLDER_DIR`); empty = that itself. */
    path: z.string().trim().max(200).default(''),
  }),
  secret: z.object({}),
  destination: [],
  stages: ['write', 'readBack', 'remove'],
  icon: 'M4 6a2 2 0 0 1 2-2h4l2 3h6a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
