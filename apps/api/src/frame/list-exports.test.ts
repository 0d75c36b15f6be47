import { routes } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let stranger: SignedIn;
let nobody: SignedIn;

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'));
  nobody = await lab.signIn(await lab.makePerson(subscriberId, 'nobody@example.com', ['sessions.inject']));
  for (const name of ['=Baker', 'Candle', 'Dairy'])
    await lab.call('POST', '/organizations', { as: ana, body: { name } });
  for (const name of ['+Cutter', 'Binder'])
    await lab.call('POST', '/roles', { as: ana, body: { name, permissions: ['sessions.view', 'workflows.view'] } });
  for (const firstName of ['@Zoe', 'Yan'])
    await lab.call('POST', '/users', {
      as: ana,
      body: { firstName, lastName: 'Exported', email: `${firstName.at(-1)}@example.com`, sendActivationEmail: false },
    });
}, 120_000);
afterAll(() => lab.stop());

/** The cells of an export that hold no comma, line by line. */
async function read(url: string, as = ana): Promise<string[][]> {
  const { body, headers, statusCode } = await lab.call('GET', url, { as });
  expect(statusCode, url).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(body.startsWith('\ufeff')).toBe(true);
  return body
    .slice(1)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}
/** One column of an export, without its head. */
const column = async (name: string, url: string, as = ana) => {
  const [head = [], ...lines] = await read(url, as);
  expect(head).toContain(name);
  return lines.map((cells) => cells[head.indexOf(name)]);
};

test('an export has the rows of its list, filtered and sorted as asked, and no formula', async () => {
  const names = (query: string, as = ana) => column('name', `/organizations/export.csv${query}`, as);
  expect(await names('?direction=desc')).toEqual(['Dairy', 'Candle', `"'=Baker"`]);
  expect(await names('?search=and')).toEqual(['Candle']);
  expect(await names('?pages=public')).toEqual([]);
  expect(await column('name', '/roles/export.csv?search=cut')).toEqual([`"'+Cutter"`]);
  expect(await column('permissions', '/roles/export.csv?search=binder')).toEqual(['sessions.view workflows.view']);
  expect(await column('firstName', '/users/export.csv?search=exported&direction=desc')).toEqual(['Yan', `"'@Zoe"`]);
  expect(await column('email', '/users/export.csv?search=exported')).toEqual(['e@example.com', 'n@example.com']);
});

test('it holds every page of the list', async () => {
  await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.organization.createMany({
      data: Array.from({ length: 2100 }, (_, no) => ({
        id: `org_many_${no}`,
        name: `Many ${String(no).padStart(4, '0')}`,
      })),
    }),
  );
  const names = await column('name', '/organizations/export.csv?search=many');
  expect(names).toEqual(Array.from({ length: 2100 }, (_, no) => `Many ${String(no).padStart(4, '0')}`));
});

test('profiles of every kind are one table, in which no setting is', async () => {
  const secret = 'Gehe1mnis-42';
  const server = { host: 'sftp.example.com', username: 'press', password: secret, hostKey: `SHA256:${'a'.repeat(43)}` };
  const make = (kind: string, name: string, settings: object) =>
    lab.call('POST', `/profiles/${kind}`, { as: ana, body: { name, settings } });
  for (const [kind, name, settings] of [
    ['retention', 'Long', {}],
    ['retention', 'Short', {}],
    ['sftpServer', '=Depot', server],
  ] as const)
    expect((await make(kind, name, settings)).statusCode, name).toBe(201);
  expect(await column('name', '/profiles/retention/export.csv?direction=desc')).toEqual(['Short', 'Long']);
  expect(await column('name', '/profiles/retention/export.csv?search=lon')).toEqual(['Long']);
  const { body } = await lab.call('GET', '/profiles/sftpServer/export.csv', { as: ana });
  expect(body).toContain(`"'=Depot"`);
  for (const text of [secret, server.host, server.username, server.hostKey]) expect(body).not.toContain(text);
  const [head] = await read('/profiles/sftpServer/export.csv');
  for (const kind of ['preflight', 'cloudStorage', 'inboundEmail', 'retention'])
    expect((await read(`/profiles/${kind}/export.csv`))[0], kind).toEqual(head);
});

test('workflows and fonts are exported as they are listed', async () => {
  for (const name of ['Cards', 'Zines'])
    await lab.call('POST', '/workflows', { as: ana, body: { name, template: 'empty' } });
  const url = '/workflows/export.csv';
  expect(await column('name', `${url}?sort=name&direction=desc`)).toEqual(['Zines', 'Cards']);
  expect(await column('name', `${url}?search=card&organizationId=house`)).toEqual(['Cards']);
  expect(await column('name', `${url}?isEnabled=false`)).toEqual([]);
  expect(await column('publishedVersion', `${url}?search=card`)).toEqual(['']);
  await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, async (tx) => {
    for (const family of ['Serif', 'Grotesk']) {
      const sha256 = String(family.length).repeat(64);
      await tx.blob.create({ data: { sha256, size: 7n } });
      const names = { postScriptName: family, family, style: 'Bold', fullName: `${family} Bold` };
      const allowed = { embedding: 'Editable', isSubsettingForbidden: false, isBitmapOnly: false, mayEmbed: true };
      await tx.font.create({
        data: {
          ...{ id: `fnt_${family}`, sha256, fileName: 'a.ttf', size: 7n, createdBy: 'Ana', ...names },
          facts: { ...names, kind: 'TrueType', glyphCount: 9, ...allowed },
        },
      });
    }
  });
  expect(await column('family', '/fonts/export.csv')).toEqual(['Grotesk', 'Serif']);
  expect(await column('embedding', '/fonts/export.csv?search=serif')).toEqual(['Editable']);
});

const lists = [
  ['users', routes.users.list, routes.users.export],
  ['roles', routes.roles.list, routes.roles.export],
  ['organizations', routes.organizations.list, routes.organizations.export],
  ['arrivals', routes.arrivals.list, routes.arrivals.export],
  ['due files', routes.retention.due, routes.retention.export],
  ['fonts', routes.fonts.list, routes.fonts.export],
  ['retention policies', routes.retentionProfiles.list, routes.retentionProfiles.export],
  ['SFTP servers', routes.sftpServers.list, routes.sftpServers.export],
] as const;

test.each(lists)(
  'who may not read the list of %s may not export it, and nobody exports another house’s',
  async (...of) => {
    const [, list, all] = of;
    expect(all.access).toEqual(list.access);
    expect([...Object.keys(all.query.shape), 'page', 'pageSize'].sort()).toEqual(Object.keys(list.query.shape).sort());
    expect((await lab.call('GET', all.path, { as: nobody })).statusCode).toBe(403);
    const ids = (cells: string[][]) => cells.slice(1).map(([id]) => id);
    const theirs = ids(await read(all.path, stranger));
    expect(ids(await read(all.path)).filter((id) => theirs.includes(id))).toEqual([]);
  },
);

test('what the list refuses its export refuses before a byte is sent', async () => {
  expect((await lab.call('GET', '/arrivals/export.csv?from=nonsense', { as: ana })).statusCode).toBe(400);
  expect((await lab.call('GET', '/users/export.csv?sort=nonsense', { as: ana })).statusCode).toBe(400);
});
