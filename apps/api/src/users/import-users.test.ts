import type { UserImportResult } from '@pdf2press/contract';
import { listKeptMail } from '@pdf2press/mail';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let clerk: SignedIn;
let north: string;

beforeAll(async () => {
  lab = await startLab({ limitFactor: 1000 });
  const home = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(home, 'ana@example.com'));
  clerk = await lab.signIn(
    await lab.makePerson(home, 'clerk@example.com', [
      'users.view',
      'users.manage',
      'users.roles.assign',
      'sessions.view',
    ]),
  );
  await lab.makeAdministrator(await lab.makeSubscriber('Elsewhere'), 'zoe@elsewhere.example');
  const make = async (path: string, body: object) =>
    (await lab.call<{ id: string }>('POST', path, { as: ana, body })).result.id;
  north = await make('/organizations', { name: 'North' });
  await make('/organizations', { name: 'South' });
  await make('/roles', { name: 'Lookers', permissions: ['sessions.view'] });
  await make('/roles', { name: 'Cut, fold', permissions: ['sessions.view'] });
});
afterAll(() => lab.stop());

const run = (csv: string, options: { as?: SignedIn; isDryRun?: boolean } = {}) =>
  lab.call<UserImportResult>('POST', '/users/import', {
    as: options.as ?? ana,
    body: { csv, isDryRun: options.isDryRun ?? true },
  });
const told = ({ lines }: UserImportResult) =>
  lines.map(({ line, outcome, errors }) => [line, outcome, ...errors.map(({ code }) => code)]);
const userCount = () => lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) => tx.user.count());

test('a dry run tells for each line what will happen and why not, and changes nothing', async () => {
  const before = await userCount();
  const { result } = await run(
    [
      'E-mail;Name;Roles;Organisations;Desk',
      'new@example.com;Nora New;lookers;north',
      'ANA@example.com;Ana;;',
      'new@example.com;Twice;;',
      'zoe@elsewhere.example;Zoe;;',
      'not an address;;;',
      'bo@example.com;Bo;Lookers|Nobody, Cut, fold;West',
      'cut@example.com;Cut;Cut, fold;',
    ].join('\r\n'),
  );
  expect(told(result)).toEqual([
    [2, 'new'],
    [3, 'exists'],
    [4, 'error', 'userImport.twice'],
    [5, 'error', 'resource.nameTaken'],
    [6, 'error', 'value.required', 'value.email'],
    [
      7,
      'error',
      'userImport.roleUnknown',
      'userImport.roleUnknown',
      'userImport.roleUnknown',
      'userImport.organizationUnknown',
    ],
    [8, 'new'],
  ]);
  expect(result).toMatchObject({ isDryRun: true, counts: { new: 2, exists: 1, error: 4 }, ignoredColumns: ['Desk'] });
  expect(result.lines[4]?.errors[1]?.message).toBe('Value is not a valid email address');
  expect(await userCount()).toBe(before);
});

test('the import makes every new user with roles and organizations, writes it down and sends the links', async () => {
  const csv =
    'name,email,roles,organizations\n"Ida\nLang",ida@example.com,Lookers,North\nAna,ana@example.com,,\nUwe,uwe@example.com,,\n';
  const { result } = await run(csv, { isDryRun: false });
  expect(told(result)).toEqual([
    [2, 'new'],
    [4, 'exists'],
    [5, 'new'],
  ]);
  expect(result.activationLinks.map(({ email }) => email)).toEqual(['ida@example.com', 'uwe@example.com']);
  const users = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.user.findMany({
      where: { email: { in: ['ida@example.com', 'uwe@example.com'] } },
      include: { userRoles: { include: { role: true } }, userOrganizations: true },
      orderBy: { email: 'asc' },
    }),
  );
  expect(users).toMatchObject([
    {
      ...{ firstName: 'Ida', lastName: 'Lang', userName: 'ida@example.com', isOrganizationRestricted: true },
      userRoles: [{ role: { name: 'Lookers' } }],
      userOrganizations: [{ organizationId: north }],
    },
    {
      firstName: 'Uwe',
      isOrganizationRestricted: false,
      userRoles: [{ role: { isDefault: true } }],
      userOrganizations: [],
    },
  ]);
  const entries = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.auditEntry.findMany({ where: { act: 'user.create', object: { in: users.map(({ id }) => id) } } }),
  );
  expect(entries).toHaveLength(2);
  await lab.deliverMails();
  const mails = await listKeptMail(lab.deps.mail.keepFolder, ana.subscriberId);
  expect(mails.filter(({ to }) => to === 'ida@example.com')).toHaveLength(1);
  // The link works: it is the one that a single new user gets.
  const token = /token=([\w-]+)/.exec(result.activationLinks[0]?.link ?? '')?.[1];
  const chosen = { token, password: 'Tr0ub4dor&3', passwordConfirmation: 'Tr0ub4dor&3' };
  expect((await lab.call('POST', '/TokenAuth/reset-password', { body: chosen })).statusCode).toBe(200);
  expect(told((await run(csv)).result).map(([, outcome]) => outcome)).toEqual(['exists', 'exists', 'exists']);
});

test('one line with an error, and nobody is made', async () => {
  const before = await userCount();
  const answer = await run('name,email\nGood,good@example.com\nBad,bad\n', { isDryRun: false });
  expect([answer.statusCode, answer.envelope.errors[0]?.code]).toEqual([422, 'userImport.hasErrors']);
  expect(await userCount()).toBe(before);
});

test('nobody gives a role that grants what they lack, nor the default one', async () => {
  const csv = 'name,email,roles\nA,a1@example.com,Administrator\nB,b1@example.com,Lookers\nC,c1@example.com,\n';
  const { result } = await run(csv, { as: clerk });
  expect(told(result)).toEqual([
    [2, 'error', 'access.denied'],
    [3, 'new'],
    [4, 'error', 'access.denied'],
  ]);
  expect((await run(csv, { as: clerk, isDryRun: false })).statusCode).toBe(422);
  const helper = await lab.signIn(
    await lab.makePerson(ana.subscriberId, 'helper@example.com', ['users.manage', 'sessions.view']),
  );
  expect(told((await run('name,email,roles\nB,b1@example.com,Lookers\n', { as: helper })).result)).toEqual([
    [2, 'error', 'access.denied'],
  ]);
});

test('whoever sees some organizations only makes people of these', async () => {
  await lab.deps.db.withSubscriber({ subscriberId: clerk.subscriberId }, async (tx) => {
    await tx.user.update({ where: { id: clerk.id }, data: { isOrganizationRestricted: true } });
    await tx.userOrganization.create({ data: { userId: clerk.id, organizationId: north } });
  });
  lab.deps.callers.forget();
  const csv = 'name,email,roles,organizations\nA,a2@example.com,Lookers,South\nB,b2@example.com,Lookers,\n';
  expect(told((await run(csv, { as: clerk })).result)).toEqual([
    [2, 'error', 'userImport.organizationUnknown'],
    [3, 'new'],
  ]);
  await run('name,email,roles\nB,b2@example.com,Lookers\n', { as: clerk, isDryRun: false });
  const made = await lab.deps.db.withSubscriber({ subscriberId: clerk.subscriberId }, (tx) =>
    tx.user.findFirstOrThrow({ where: { email: 'b2@example.com' }, include: { userOrganizations: true } }),
  );
  expect(made).toMatchObject({ isOrganizationRestricted: true, userOrganizations: [{ organizationId: north }] });
});

test('hundreds of users are made at once', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `Person ${at},many${at}@example.com,Lookers`);
  const { result } = await run(`name,email,roles\n${rows.join('\n')}`, { isDryRun: false });
  expect(result.counts.new).toBe(300);
  expect(result.activationLinks).toHaveLength(300);
});
