import { type KeptReason, type PersonFile, type PersonReport, routes } from '@pdf2press/contract';
import { erasePerson, findPerson, readPerson } from '@pdf2press/engine';
import { type KeptMail, listKeptMail, removeKeptMail } from '@pdf2press/mail';
import type { Transaction } from '@pdf2press/prisma';
import { hostAdministrators } from '../auth/caller-cache.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf, type Caller, contextOf, demandWhole } from '../frame/caller.ts';
import { demandAdministratorLeft, demandNotAbove } from '../roles/grants.ts';
import { withoutLinks } from '../system/without-links.ts';

/** Every text of the subscriber is searched for the address. */
const patience = { timeout: 120_000 };

const whole = <T>(deps: ApiDeps, caller: Caller, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  demandWhole(caller);
  return deps.db.withSubscriber(contextOf(caller), work, patience);
};

/** Messages to the address that lie on disk because no mail server is set. */
const keptMessages = async (deps: ApiDeps, { subscriberId }: Caller, email: string): Promise<KeptMail[]> => {
  const all = await listKeptMail(deps.mail.keepFolder, subscriberId, Number.POSITIVE_INFINITY);
  return all.filter(({ to }) => to.toLowerCase() === email);
};

const kindOfKept = (mails: readonly KeptMail[]): PersonReport['kinds'] =>
  mails.length > 0
    ? [{ kind: 'keptMessages', found: mails.length, removed: mails.length, anonymised: 0, kept: [] }]
    : [];

/** What the audit keeps of an erasure: numbers by kind, never the address. */
const countsOf = (kinds: PersonReport['kinds']) => {
  const kept: Partial<Record<KeptReason, number>> = {};
  for (const { reason, count } of kinds.flatMap((each) => each.kept)) kept[reason] = (kept[reason] ?? 0) + count;
  return {
    removed: Object.fromEntries(kinds.filter(({ removed }) => removed > 0).map(({ kind, removed }) => [kind, removed])),
    anonymised: Object.fromEntries(
      kinds.filter(({ anonymised }) => anonymised > 0).map(({ kind, anonymised }) => [kind, anonymised]),
    ),
    kept,
  };
};

export function bindPersons(bind: Bind, deps: ApiDeps): void {
  const { persons } = routes;

  bind(persons.find, async ({ caller, body: { email } }) => {
    const report = await whole(deps, caller, async (tx) => {
      const person = await findPerson(tx, deps.keys, { email });
      return { placeholder: person.placeholder, kinds: await erasePerson(tx, person) };
    });
    const kinds = [...report.kinds, ...kindOfKept(await keptMessages(deps, caller, email))];
    return { email, at: new Date().toISOString(), ...report, kinds };
  });

  bind(persons.export, async ({ caller, request, body: { email } }): Promise<PersonFile> => {
    const kinds = await whole(deps, caller, async (tx) => {
      const person = await findPerson(tx, deps.keys, { email });
      await audit(tx, request, { act: 'person.export', object: person.placeholder });
      return readPerson(tx, person);
    });
    const mails = await keptMessages(deps, caller, email);
    return {
      format: 'pdf2press-person',
      formatVersion: 1,
      email,
      exportedAt: new Date().toISOString(),
      kinds: {
        ...kinds,
        ...(mails.length > 0 && {
          keptMessages: mails.map(({ to, subject, at, text }) => ({ to, subject, at, text: withoutLinks(text) })),
        }),
      },
    };
  });

  bind(persons.erase, async ({ caller, request, body: { email } }) => {
    const hosts = await deps.db.asHost(hostAdministrators);
    const mails = await keptMessages(deps, caller, email);
    const report = await whole(deps, caller, async (tx) => {
      const person = await findPerson(tx, deps.keys, { email, willErase: true });
      const { userId, placeholder } = person;
      if (userId) await demandNotAbove(tx, caller, { userId, hosts });
      const kinds = [...(await erasePerson(tx, person, actorOf(caller))), ...kindOfKept(mails)];
      if (userId) await demandAdministratorLeft(tx);
      await audit(tx, request, { act: 'person.erase', object: placeholder, after: countsOf(kinds) });
      return { placeholder, kinds };
    });
    // Files know no transaction: should this fail, the erasure is asked for again and finds them.
    await removeKeptMail(deps.mail.keepFolder, caller.subscriberId, mails);
    deps.callers.forget();
    return { email, at: new Date().toISOString(), ...report };
  });
}
