/* Exported as `@pdf2press/sftp/server`: what is set of a server of SFTP, by forms and by those who connect to it. */
import { z } from 'zod';

/** How a server is reached, and who signs in. */
export const sftpServerShape = {
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
};

/** Before the first trial the key of the server is not known. */
export const triedHostKey = z.string().trim().max(100).default('');

/** Stored encrypted. */
export const sftpSecretSchema = z
  .object({
    password: z.string().max(1000).default(''),
    /** In the form of OpenSSH or PEM. */
    privateKey: z.string().max(20_000).default(''),
    passphrase: z.string().max(1000).default(''),
  })
  .refine(({ password, privateKey }) => password !== '' || privateKey !== '', { path: ['password'] });

/** Settings that say who is given the secret; a stored one is not sent anywhere else. */
export const sftpDestination = ['host', 'port', 'username', 'hostKey'] as const;
