import {
  contractMessages,
  type Locale,
  type Problem,
  ProblemError,
  problem,
  routes,
  sentence,
  type UserImportResult,
  type UserLineOutcome,
  userLineOutcomes,
  valueFaultOf,
  type WireError,
} from '@pdf2press/contract';
import { demandUsersInPlan, readSettings } from '@pdf2press/engine';
import { newId, type Role, type Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { ReadBody } from '../frame/bind.ts';
import { type Caller, contextOf } from '../frame/caller.ts';
import { localeOf, wireError } from '../frame/errors.ts';
import { isTaken } from '../frame/rows.ts';
import { welcomeMembers } from '../organizations/welcome.ts';
import { demandOwn } from '../roles/grants.ts';
import { sendActivation } from './activation.ts';
import { readUserFile, type UserLine } from './read-user-file.ts';

/** A thousand users take longer than a transaction is usually given. */
const timeout = 120_000;

interface Planned extends UserLine {
  outcome: UserLineOutcome;
  errors: WireError[];
  chosenRoles: Role[];
  organizationIds: readonly string[];
}

/** What lines are compared with. */
interface Known {
  roles: ReadonlyMap<string, Role>;
  defaultRoles: readonly Role[];
  organizations: ReadonlyMap<string, string>;
  /** E-mail addresses of the subscriber's users, and addresses and names that are taken otherwise. */
  own: ReadonlySet<string>;
  taken: ReadonlySet<string>;
}

const byName = <T extends { name: string }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [row.name.toLowerCase(), row]));

async function readKnown(
  tx: Transaction,
  caller: Caller,
  emails: readonly string[],
  holders: readonly { email: string; subscriberId: string }[],
): Promise<Known> {
  const { organizationIds, subscriberId } = caller;
  const roles = await tx.role.findMany();
  const organizations = await tx.organization.findMany({
    where: organizationIds ? { id: { in: [...organizationIds] } } : {},
    select: { id: true, name: true },
  });
  const named = await tx.user.findMany({ where: { userName: { in: [...emails] } }, select: { userName: true } });
  const own = new Set(holders.filter((one) => one.subscriberId === subscriberId).map(({ email }) => email));
  const others = holders.filter(({ email }) => !own.has(email)).map(({ email }) => email);
  return {
    roles: byName(roles),
    defaultRoles: roles.filter(({ isDefault }) => isDefault),
    organizations: new Map(organizations.map(({ id, name }) => [name.toLowerCase(), id])),
    own,
    taken: new Set([...others, ...named.map(({ userName }) => userName).filter((name) => !own.has(name))]),
  };
}

/** Names that are known as they stand, or divided at their commas; the others by the problem that each is. */
function lookUp<T>(names: readonly string[], known: ReadonlyMap<string, T>) {
  const found: T[] = [];
  const unknown: string[] = [];
  const all = names.flatMap((name) => (known.has(name.toLowerCase()) ? [name] : name.split(',')));
  for (const name of new Set(all.map((one) => one.trim()).filter((one) => one !== ''))) {
    const one = known.get(name.toLowerCase());
    if (one === undefined) unknown.push(name);
    else found.push(one);
  }
  return { found, unknown };
}

/** The problems that a check throws, instead of throwing them. */
function problemsIn(check: () => void): readonly Problem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

/** Whoever gives a role must have every permission that it grants, as for a single user. */
function grantProblems(caller: Caller, isAsked: boolean, roles: readonly Role[]): readonly Problem[] {
  return problemsIn(() => {
    if (isAsked) demand(caller, 'users.roles.assign');
    demandOwn(
      caller,
      roles.flatMap(({ permissions }) => permissions),
    );
  });
}

/** What does not fit the form of a single user. */
function valueErrors({ firstName, lastName, email }: UserLine, locale: Locale): WireError[] {
  const read = routes.users.create.body.safeParse({ firstName, lastName, email }, { reportInput: true });
  return (read.error?.issues ?? []).map((issue) => {
    const { code, params } = valueFaultOf(issue);
    const field = issue.path.join('.');
    return {
      code,
      message: sentence(contractMessages, locale, code, params),
      field,
      ...(params ? { params } : {}),
    };
  });
}

function planLine(
  line: UserLine,
  { caller, known, locale, earlier }: { caller: Caller; known: Known; locale: Locale; earlier: Map<string, number> },
): Planned {
  const email = line.email.toLowerCase();
  const roles = lookUp(line.roles, known.roles);
  const organizations = lookUp(line.organizations, known.organizations);
  const chosenRoles = line.roles.length > 0 ? roles.found : [...known.defaultRoles];
  const before = earlier.get(email);
  if (email !== '' && before === undefined) earlier.set(email, line.line);
  const problems: Problem[] = [
    ...(email !== '' && before !== undefined
      ? [{ code: 'userImport.twice', params: { line: before }, field: 'email' } as const]
      : []),
    ...(known.taken.has(email)
      ? [{ code: 'resource.nameTaken', params: { name: email }, field: 'email' } as const]
      : []),
    ...roles.unknown.map((name) => ({ code: 'userImport.roleUnknown', params: { name }, field: 'roles' }) as const),
    ...organizations.unknown.map(
      (name) => ({ code: 'userImport.organizationUnknown', params: { name }, field: 'organizations' }) as const,
    ),
    ...grantProblems(caller, line.roles.length > 0, chosenRoles),
  ];
  const errors = [...valueErrors(line, locale), ...problems.map((one) => wireError(locale, one))];
  const isThere = known.own.has(email) && before === undefined;
  return {
    ...line,
    email,
    outcome: isThere ? 'exists' : errors.length > 0 ? 'error' : 'new',
    errors: isThere ? [] : errors,
    chosenRoles,
    organizationIds: organizations.found.length > 0 ? organizations.found : (caller.organizationIds ?? []),
  };
}

type Body = ReadBody<typeof routes.users.import>;

/** Makes all of them. The audit comes last, because its chain makes other writers of the subscriber wait. */
async function writeUsers(
  tx: Transaction,
  deps: ApiDeps,
  { caller, request, planned, body }: { caller: Caller; request: FastifyRequest; planned: Planned[]; body: Body },
): Promise<UserImportResult['activationLinks']> {
  const { subscriberId } = caller;
  const users = planned.map((one) => ({ ...one, id: newId('user') }));
  await tx.user.createMany({
    data: users.map(({ id, firstName, lastName, email, organizationIds }) => ({
      ...{ id, subscriberId, firstName, lastName, email, userName: email, locale: body.locale },
      isOrganizationRestricted: organizationIds.length > 0,
    })),
  });
  if (users.length > 0) await demandUsersInPlan(tx);
  await tx.userRole.createMany({
    data: users.flatMap(({ id, chosenRoles }) =>
      chosenRoles.map((role) => ({ subscriberId, userId: id, roleId: role.id })),
    ),
  });
  await tx.userOrganization.createMany({
    data: users.flatMap(({ id, organizationIds }) =>
      organizationIds.map((organizationId) => ({ subscriberId, userId: id, organizationId })),
    ),
  });
  await welcomeMembers(
    tx,
    deps,
    users.flatMap(({ id: userId, organizationIds }) =>
      organizationIds.map((organizationId) => ({ userId, organizationId })),
    ),
  );
  const links: UserImportResult['activationLinks'] = [];
  const settings = await readSettings(tx, subscriberId);
  for (const { id, email, firstName, lastName } of body.sendActivationEmail ? users : []) {
    const reader = { id, subscriberId, email, firstName, lastName, locale: body.locale };
    const link = await sendActivation(tx, deps, settings, reader);
    if (link) links.push({ email, link });
  }
  for (const { id, email, chosenRoles, organizationIds } of users) {
    const roleIds = chosenRoles.map((role) => role.id);
    const after = { email, roleIds, ...(organizationIds.length > 0 && { organizationIds: [...organizationIds] }) };
    await audit(tx, request, { act: 'user.create', object: id, after });
  }
  return links;
}

/**
 * Makes users from a CSV, all in one transaction, or tells what would become of each line.
 * @throws ProblemError `userImport.*`, `quota.users`; `userImport.hasErrors` where a line cannot be imported and it is no dry run
 */
export async function importUsers(
  deps: ApiDeps,
  caller: Caller,
  request: FastifyRequest,
  body: Body,
): Promise<UserImportResult> {
  const { isDryRun } = body;
  const { lines, ignoredColumns } = readUserFile(body.csv);
  const emails = lines.map(({ email }) => email.toLowerCase());
  // Addresses are unique over all subscribers, which only the host sees.
  const holders = await deps.db.asHost((tx) =>
    tx.user.findMany({ where: { email: { in: emails } }, select: { email: true, subscriberId: true } }),
  );
  const locale = localeOf(request);
  const work = async (tx: Transaction) => {
    const known = await readKnown(tx, caller, emails, holders);
    const earlier = new Map<string, number>();
    const planned = lines.map((line) => planLine(line, { caller, known, locale, earlier }));
    const wrong = planned.filter(({ outcome }) => outcome === 'error');
    if (isDryRun) return { planned, activationLinks: [] };
    if (wrong.length > 0) throw problem('userImport.hasErrors', { count: wrong.length });
    const fresh = planned.filter(({ outcome }) => outcome === 'new');
    return { planned, activationLinks: await writeUsers(tx, deps, { caller, request, planned: fresh, body }) };
  };
  try {
    const { planned, activationLinks } = await deps.db.withSubscriber(contextOf(caller), work, { timeout });
    const count = (outcome: UserLineOutcome) => planned.filter((one) => one.outcome === outcome).length;
    return {
      isDryRun,
      lines: planned.map(
        ({ line, firstName, lastName, email, chosenRoles, organizations, outcome, errors, roles }) => ({
          ...{ line, name: `${firstName} ${lastName}`.trim(), email, outcome, errors },
          roles: roles.length > 0 ? roles : chosenRoles.map(({ name }) => name),
          organizations,
        }),
      ),
      counts: Object.fromEntries(userLineOutcomes.map((outcome) => [outcome, count(outcome)])) as Record<
        UserLineOutcome,
        number
      >,
      ignoredColumns,
      activationLinks,
    };
  } catch (error) {
    // Somebody took an address since it was looked for.
    if (isTaken(error)) throw problem('userImport.hasErrors', { count: 1 });
    throw error;
  }
}
