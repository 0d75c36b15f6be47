import { nearestLocale, problem, type SystemSettings } from '@pdf2press/contract';
import { demandUsersInPlan } from '@pdf2press/engine';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import { isTaken } from '../frame/rows.ts';
import type { Claims } from './provider.ts';

type Settings = SystemSettings['singleSignOnSettings'];

interface Arrival {
  subscriberId: string;
  settings: Settings;
  claims: Claims;
}

/** @throws ProblemError `singleSignOn.domainNotAllowed` */
function demandDomain(email: string, { allowedDomains }: Settings): void {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!allowedDomains.includes(domain)) throw problem('singleSignOn.domainNotAllowed', { domain });
}

/** Nobody is recognised by an address that the service has not verified. @throws ProblemError `singleSignOn.emailUnverified` */
function demandVerified({ isVerified }: Claims): void {
  if (!isVerified) throw problem('singleSignOn.emailUnverified');
}

/** The address whose domain counts: that of the service where it has verified it, else that of the account. */
const addressOf = async (tx: Transaction, { email, isVerified }: Claims, userId: string): Promise<string> =>
  isVerified ? email : (await tx.user.findFirstOrThrow({ where: { id: userId } })).email.toLowerCase();

const keepIdentity = (tx: Transaction, { issuer, subject }: Claims, userId: string) =>
  tx.userIdentity.create({ data: { issuer, subject, userId }, select: { userId: true } });

/** What is written down of a person who was made or joined: they did it themselves. */
const act = (userId: string, { subscriberId, claims }: Arrival) => ({
  object: userId,
  subscriberId,
  actor: { kind: 'user', id: userId, name: claims.email },
});

/** Makes the person with the role that new people get. @throws ProblemError `singleSignOn.unknownPerson`, `quota.users` */
async function makePerson(tx: Transaction, request: FastifyRequest, arrival: Arrival): Promise<string> {
  const { claims, settings } = arrival;
  const { email, issuer, lastName } = claims;
  const role = await tx.role.findFirst({ where: { id: settings.defaultRoleId } });
  if (!role) throw problem('singleSignOn.unknownPerson', { email });
  const id = newId('user');
  const firstName = claims.firstName || email.slice(0, email.indexOf('@'));
  const locale = nearestLocale(claims.locale);
  await tx.user.create({ data: { id, email, userName: email, firstName, lastName, locale }, select: { id: true } });
  await tx.userRole.create({ data: { userId: id, roleId: role.id }, select: { userId: true } });
  await keepIdentity(tx, claims, id);
  await demandUsersInPlan(tx);
  await audit(tx, request, { act: 'user.create', ...act(id, arrival), after: { email, roleIds: [role.id], issuer } });
  return id;
}

/** Joins an account of the same address. @throws ProblemError `singleSignOn.accountExists` */
async function joinAccount(
  tx: Transaction,
  request: FastifyRequest,
  arrival: Arrival,
  userId: string,
): Promise<string> {
  const { claims, settings } = arrival;
  const { email, issuer } = claims;
  // A second person of the service with this address is somebody whom it was given to later.
  const isJoined = (await tx.userIdentity.count({ where: { userId, issuer } })) > 0;
  if (!settings.linksAccounts || isJoined) throw problem('singleSignOn.accountExists', { email });
  await keepIdentity(tx, claims, userId);
  await audit(tx, request, { act: 'user.link', ...act(userId, arrival), after: { issuer } });
  return userId;
}

/**
 * Whose account it is: that of this very person at this very service, else one that is joined now, else a new one. All of
 * it within the company that the sign-in was begun for. A verified address is needed to be joined or made, not to be known.
 * @throws ProblemError `singleSignOn.emailUnverified`, `singleSignOn.domainNotAllowed`, `singleSignOn.accountExists`,
 * `singleSignOn.unknownPerson`, `quota.users`
 */
export async function personOf(deps: ApiDeps, request: FastifyRequest, arrival: Arrival): Promise<string> {
  const { subscriberId, claims, settings } = arrival;
  const { issuer, subject, email } = claims;
  try {
    return await deps.db.withSubscriber({ subscriberId }, async (tx) => {
      const known = await tx.userIdentity.findFirst({ where: { issuer, subject } });
      if (known) {
        demandDomain(await addressOf(tx, claims, known.userId), settings);
        return known.userId;
      }
      demandVerified(claims);
      demandDomain(email, settings);
      const account = await tx.user.findFirst({ where: { email } });
      return account ? joinAccount(tx, request, arrival, account.id) : makePerson(tx, request, arrival);
    });
  } catch (error) {
    // Addresses are unique over all companies: it is an account of another one, or was made a moment ago.
    if (isTaken(error)) throw problem('singleSignOn.accountExists', { email });
    throw error;
  }
}

/**
 * Links the account of somebody who is signed in. They have proved both accounts, so the service need not have verified
 * their address.
 * @throws ProblemError `singleSignOn.domainNotAllowed`, `singleSignOn.linkedAlready`, `singleSignOn.linkedElsewhere`
 */
export async function linkPerson(
  tx: Transaction,
  request: FastifyRequest,
  { claims, settings, userId }: Omit<Arrival, 'subscriberId'> & { userId: string },
): Promise<void> {
  const { issuer, subject } = claims;
  demandDomain(await addressOf(tx, claims, userId), settings);
  const taken = await tx.userIdentity.findFirst({ where: { issuer, subject } });
  if (taken && taken.userId !== userId) throw problem('singleSignOn.linkedElsewhere');
  if (taken || (await tx.userIdentity.count({ where: { userId, issuer } })) > 0)
    throw problem('singleSignOn.linkedAlready');
  await keepIdentity(tx, claims, userId);
  await audit(tx, request, { act: 'user.link', object: userId, after: { issuer } });
}
