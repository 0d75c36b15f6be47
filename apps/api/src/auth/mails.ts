import { type Locale, nearestLocale } from '@pdf2press/contract';
import { revealSecret } from '@pdf2press/engine/secrets';
import { type MailParams, type MailTemplate, renderMail, type SmtpServer, sendMail } from '@pdf2press/mail';
import type { ApiDeps } from '../deps.ts';
import { readSettings } from './settings-of.ts';

/** The subscriber's own mail server with its password opened, or undefined when none is set. */
export const smtpServerOf = (deps: ApiDeps, subscriberId: string): Promise<SmtpServer | undefined> =>
  deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const { smtpSettings } = await readSettings(tx, subscriberId);
    if (!smtpSettings.host) return undefined;
    const id = smtpSettings.password;
    const password = id ? await revealSecret(tx, deps.keys, { subscriberId, id, purpose: 'smtp.password' }) : null;
    return { ...smtpSettings, password };
  });

interface Reader {
  subscriberId: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
}

/** Writes to a person in their language, without anybody waiting for it. */
export function mailTo(
  deps: ApiDeps,
  person: Reader,
  template: MailTemplate,
  params: Omit<MailParams, 'app' | 'name'> = {},
): void {
  deps.background.run(`mail ${template}`, async () => {
    const locale: Locale = nearestLocale(person.locale);
    const name = `${person.firstName} ${person.lastName}`.trim() || person.email;
    const rendered = renderMail(template, locale, { ...params, app: deps.env.title, name });
    const server = await smtpServerOf(deps, person.subscriberId);
    await sendMail(deps.mail, { subscriberId: person.subscriberId, server, mail: { ...rendered, to: person.email } });
  });
}
