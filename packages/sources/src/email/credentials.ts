import { SourceFaultError } from '@pdf2press/contract';
import { type AccessToken, type AccessTools, accessOf } from '../access-token.ts';
import { type MailboxServer, mailboxGrantSchema } from './contract.ts';
import { mailProvider } from './mail-service.ts';

/** With what a mailbox is signed in to. */
export type Credentials = { password: string } | { accessToken: AccessToken };

/**
 * The credentials that a stored secret gives for what the settings say.
 * @throws SourceFaultError `source.signInNeeded` where nobody has connected the account, `source.notSetUp`
 */
export function credentialsOf(
  { signInWith }: Pick<MailboxServer, 'signInWith'>,
  secret: unknown,
  tools: AccessTools,
  signal: AbortSignal,
): Credentials {
  if (signInWith === 'password') return { password: String((secret as { password?: unknown } | undefined)?.password) };
  const grant = mailboxGrantSchema.safeParse(secret);
  if (!grant.success) throw new SourceFaultError('source.signInNeeded');
  return { accessToken: accessOf({ provider: mailProvider(signInWith), grant: grant.data }, tools, signal) };
}
