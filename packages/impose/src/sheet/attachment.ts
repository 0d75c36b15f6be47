import { z } from 'zod';

/** Base64 adds a third: a profile with two attachments stays below the API's request limit of 1 MiB. */
const maxBytes = 300 * 1024;

/**
 * Schema of a small file stored inside a profile, so that it is versioned, copied and access-controlled with it.
 * `accept` lists the file name extensions that a form offers.
 */
export const attachment = (accept: readonly string[]) =>
  z
    .object({
      name: z.string().min(1).max(255),
      /** The bytes as base64. */
      data: z.base64().max(Math.ceil(maxBytes / 3) * 4),
    })
    .nullable()
    .default(null)
    .meta({ kind: 'attachment', accept, maxBytes });

export interface Attachment {
  name: string;
  data: string;
}

/** An attachment as text, one character (U+0000 to U+00FF) per byte. Works in a browser. */
export const attachedText = ({ data }: Attachment): string => atob(data);
