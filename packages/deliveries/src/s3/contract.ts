import { bucketNameSchema, regionNameSchema } from '@pdf2press/contract';
import { z } from 'zod';
import { deliveryContract } from '../delivery.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A bucket of Amazon S3, or of any service that speaks as it does. */
export const s3Contract = deliveryContract({
  kind: 's3',
  settings: z.object({
    /** Empty = Amazon S3, by region. */
    endpoint: z
      .string()
      .trim()
      .max(200)
      .regex(/^(https?:\/\/[^/?#@\s\\]+\/?)?$/)
      .default(''),
    region: regionNameSchema.default('us-east-1'),
    bucket: bucketNameSchema,
    /** Put before every name; a folder to most programs. */
    path: z.string().trim().max(200).default(''),
    accessKeyId: z.string().trim().min(1).max(200),
  }),
  secret: z.object({ secretAccessKey: z.string().min(1).max(1000) }),
  destination: ['endpoint', 'region', 'bucket', 'accessKeyId'],
  stages: ['name', 'connect', 'signIn', 'write', 'readBack', 'remove'],
  icon: 'M5 6h14l-1.6 12.5a1.5 1.5 0 0 1-1.5 1.3H8.1a1.5 1.5 0 0 1-1.5-1.3zM4 6a8 2.5 0 0 1 16 0a8 2.5 0 0 1-16 0z',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
