import { passwordSettingsSchema, problem, type routes } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import { makeLink, takeLink } from '../auth/links.ts';
import { demandGoodPassword, hashPassword } from '../auth/passwords.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { ReadBody } from '../frame/bind.ts';
import { seedSamples } from './seed-samples.ts';
import { createAdministrator, createSubscriber } from './subscribers.ts';

/** The subscriber that was made when the product was set up: the oldest one. */
export async function firstSubscriberId(tx: Transaction): Promise<string | undefined> {
  const row = await tx.subscriber.findFirst({ orderBy: { createdAt: 'asc' }, select: { id: true } });
  return row?.id;
}

const hasUser = async (tx: Transaction) => (await tx.user.findFirst({ select: { id: true } })) !== null;

let isKnownDone = false;
/** Whether the first administrator exists. Every visitor asks, so a yes is kept in memory. */
export async function isSetUp(deps: ApiDeps): Promise<boolean> {
  if (isKnownDone && deps.env.databaseUrl === knownDatabase) return true;
  isKnownDone = await deps.db.asHost(hasUser);
  knownDatabase = deps.env.databaseUrl;
  return isKnownDone;
}
let knownDatabase = '';

/** Lets one process at a time set up, so that there are never two links or two first administrators. */
const inTurn = (tx: Transaction) =>
  tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended('pdf2press set-up', 0))::text`;

interface FirstPerson {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  locale: string;
}

async function makeFirst(tx: Transaction, subscriberId: string, person: FirstPerson): Promise<string> {
  const { email, firstName, lastName, locale } = person;
  const passwordHash = await hashPassword(person.password);
  const userId = await createAdministrator(tx, { subscriberId, email, passwordHash, firstName, lastName, locale });
  const value = [userId];
  await tx.hostFact.upsert({
    where: { key: 'host.administrators' },
    create: { key: 'host.administrators', value },
    update: { value },
  });
  return userId;
}

/**
 * Makes the first administrator with the token of the printed link, then the samples.
 * @throws ProblemError `auth.setupDone`, `auth.linkInvalid`, `password.*`
 */
export async function setUp(
  deps: ApiDeps,
  request: FastifyRequest,
  given: ReadBody<typeof routes.auth.setup>,
): Promise<void> {
  const made = await deps.db.asHost(async (tx) => {
    await inTurn(tx);
    if (await hasUser(tx)) throw problem('auth.setupDone');
    const { subscriberId } = await takeLink(tx, given.token, ['setup']);
    const about = [given.email, given.firstName, given.lastName];
    demandGoodPassword(given.password, given.passwordConfirmation, passwordSettingsSchema.parse({}), about);
    const userId = await makeFirst(tx, subscriberId, given);
    if (given.companyName)
      await tx.subscriber.update({ where: { id: subscriberId }, data: { name: given.companyName } });
    const actor = { kind: 'user', id: userId, name: given.email };
    await audit(tx, request, { act: 'setup.done', object: userId, subscriberId, actor });
    return { subscriberId, userId, name: `${given.firstName} ${given.lastName}`.trim() };
  });
  await seedSamples(deps, made);
}

/**
 * At first boot makes the administrator named in the environment, or else a one-time link for a person to make one.
 * Resolves to the link; undefined when there is an administrator. Links of earlier boots stop working.
 */
export async function prepareSetUp(deps: ApiDeps): Promise<string | undefined> {
  const { administrator } = deps.env;
  const prepared = await deps.db.asHost(async (tx) => {
    await inTurn(tx);
    if (await hasUser(tx)) return {};
    const subscriberId = (await firstSubscriberId(tx)) ?? (await createSubscriber(tx, deps.env.title));
    if (!administrator) return { link: await makeLink(deps, tx, { purpose: 'setup', subscriberId, userId: null }) };
    const userId = await makeFirst(tx, subscriberId, {
      ...administrator,
      firstName: 'Administrator',
      lastName: '',
      locale: 'en',
    });
    return { made: { subscriberId, userId, name: 'Administrator' } };
  });
  if (prepared.made) await seedSamples(deps, prepared.made);
  return prepared.link;
}
