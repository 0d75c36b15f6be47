import { z } from 'zod';

/** Two of them and the other settings still fit into one request (1 MiB), a third larger as base64. */
const maxBytes = 300 * 1024;

/**
 * A small file that is part of a profile: it is frozen with the profile's versions, copied with it, and behind the same
 * wall as its other settings. `accept` are the file name endings a form offers.
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

/** The bytes of an attachment, one character each: enough for formats made of text, in a browser too. */
export const attachedText = ({ data }: Attachment): string => atob(data);
