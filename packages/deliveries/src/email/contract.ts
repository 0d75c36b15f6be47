import { placeholderText } from '@pdf2press/settings';
import { z } from 'zod';
import { deliveryContract } from '../delivery.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** Recipients who are written to about one file. */
export const mostRecipients = 20;

/** Mail addresses that are sent each file, or a link to it. */
export const emailContract = deliveryContract({
  kind: 'email',
  settings: z.object({
    /** Several are parted by commas, semicolons or blanks. */
    to: placeholderText({ scope: 'session', min: 1, max: 1000 }),
    subject: placeholderText({ scope: 'session', min: 1, max: 200 }).default('{{file.name}}'),
    /** Empty = only what the product says of the file. */
    text: placeholderText({ scope: 'session', max: 5000 }).default(''),
    /** Larger files are not attached, but linked to; most mail servers take no more than 25 MB once it is encoded. */
    attachUpToMb: z.int().min(0).max(25).default(10),
    linkDays: z.int().min(1).max(90).default(14),
  }),
  secret: z.object({}),
  destination: [],
  stages: ['connect', 'write'],
  icon: 'M4 6h16v12H4zM4 7l8 6l8-6',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
