import type { AuditAnchors, AuditEntry, AuditExport, RouteResult, routes } from '@pdf2press/contract';
import { anchorAudit } from '@pdf2press/engine';
import { anchorFaults, auditExportFaults, certificateKey } from '@pdf2press/engine/secrets';
import type { Transaction } from '@pdf2press/prisma';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, password, type SignedIn, startLab } from '../testing/lab.ts';

type Page = RouteResult<typeof routes.audit.list>;
type Chain = RouteResult<typeof routes.audit.chain>;

let lab: Lab;
let ana: SignedIn;
let ben: SignedIn;
let roleId: string;
const secretWord = 'Very-Secr3t-word';

const list = async (query = '', as = ana) => (await lab.call<Page>('GET', `/audit?${query}`, { as })).result;
const nos = ({ items }: { items: readonly AuditEntry[] }) => items.map(({ no }) => no);
const exported = async (query = '', as = ana) =>
  JSON.parse((await lab.call('GET', `/audit/export?format=json&${query}`, { as })).body) as AuditExport;

/** As the owner of the tables, whose rights no wall narrows. */
const asOwner = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  lab.deps.db.asHost(async (tx) => {
    await tx.$executeRaw`reset role`;
    return work(tx);
  });

beforeAll(async () => {
  lab = await startLab({ limitFactor: 1000 });
  const home = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(home, 'ana@example.com'));
  ben = await lab.signIn(await lab.makeAdministrator(home, 'ben@example.com'));
  const role = await lab.call<{ id: string }>('POST', '/roles', {
    as: ben,
    body: { name: '=Press "night"', permissions: [] },
  });
  roleId = role.result.id;
  await lab.call('PUT', `/roles/${roleId}`, { as: ben, body: { name: 'Press day', permissions: ['sessions.view'] } });
  await lab.call('POST', '/users', {
    as: ana,
    body: { firstName: 'Cleo', email: 'cleo@example.com', password: secretWord, roleIds: [roleId] },
  });
  await lab.call('POST', '/api-keys', { as: ana, body: { name: 'Shop', permissions: ['sessions.view'] } });
  await lab.call('POST', '/TokenAuth/login', { body: { email: 'cleo@example.com', password: 'wrong-one' } });
});
afterAll(() => lab.stop());

describe('the list', () => {
  test('is newest first, with names of people and things, and what a change changed', async () => {
    const { items, names } = await list();
    expect(nos({ items })).toEqual(nos({ items }).sort((one, other) => other - one));
    const update = items.find(({ act }) => act === 'role.update');
    expect(update).toMatchObject({
      actor: { kind: 'user', id: ben.id, name: 'ben Test' },
      object: { kind: 'role', id: roleId, name: 'Press day' },
      before: { name: '=Press "night"', permissions: [] },
      after: { name: 'Press day', permissions: ['sessions.view'] },
    });
    expect(names[roleId]).toBe('Press day');
  });

  test.each([
    ['person=BEN', ['role.create', 'role.update', 'login.succeeded']],
    ['person=ben@example', ['role.create', 'role.update', 'login.succeeded']],
    ['object=press day', ['role.create', 'role.update']],
    ['object=night', ['role.create', 'role.update']],
    ['object=cleo', ['user.create', 'login.failed']],
    ['kind=role', ['role.create', 'role.update']],
    ['kind[]=role&kind[]=apiKey', ['role.create', 'role.update', 'apiKey.create']],
    ['act=login.failed', ['login.failed']],
    ['from=2999-01-01', []],
    ['to=2001-01-01', []],
    ['object=%25', []],
  ])('is narrowed by %s', async (query, acts) => {
    const { items } = await list(query);
    expect(new Set(items.map(({ act }) => act))).toEqual(new Set(acts));
  });

  test('is paged by the number of an entry, forth and back', async () => {
    const all = nos(await list('limit=100'));
    const first = await list('limit=3');
    const second = await list(`limit=3&before=${first.older}`);
    expect([...nos(first), ...nos(second)]).toEqual(all.slice(0, 6));
    expect(first.newer).toBeNull();
    const back = await list(`limit=3&after=${second.newer}`);
    expect(nos(back)).toEqual(nos(first));
    const end = await list(`limit=100&before=${second.older}`);
    expect(end.older).toBeNull();
  });

  test('holds no secret', async () => {
    const { body } = await lab.call('GET', '/audit?limit=100', { as: ana });
    expect(body).toContain('user.create');
    expect(body).not.toContain(secretWord);
    expect(body).not.toContain(password);
    expect(body).not.toMatch(/p2p_\w{20}/);
  });

  test('is closed to people of some organizations only, and shows nothing of other subscribers', async () => {
    const stranger = await lab.signIn(
      await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'zoe@example.com'),
    );
    expect((await list('limit=100', stranger)).items.map(({ act }) => act)).toEqual(['login.succeeded']);
    await lab.deps.db.withSubscriber({ subscriberId: stranger.subscriberId }, (tx) =>
      tx.user.update({ where: { id: stranger.id }, data: { isOrganizationRestricted: true } }),
    );
    lab.deps.callers.forget();
    for (const path of ['/audit', '/audit/chain', '/audit/export', '/audit/anchors'])
      expect((await lab.call('GET', path, { as: stranger })).statusCode, path).toBe(403);
  });
});

describe('the export', () => {
  test('refuses a filter that cannot be used before anything is sent', async () => {
    for (const path of ['/audit', '/audit/export']) {
      const { statusCode, envelope } = await lab.call('GET', `${path}?from=yesterday`, { as: ana });
      expect([path, statusCode, envelope.errors[0]?.field]).toEqual([path, 400, 'query.from']);
    }
  });

  test('as CSV has every entry of the filter once, without formulas', async () => {
    const { body, headers } = await lab.call('GET', '/audit/export?kind=role', { as: ana });
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = body.slice(1).trim().split('\r\n');
    expect(lines[0]).toBe('no,at,person,personKind,personId,act,objectKind,objectId,object,ip,before,after,hash');
    expect(lines).toHaveLength(3);
    await lab.call('POST', '/roles', { as: ben, body: { name: '=1+1', permissions: [] } });
    expect((await lab.call('GET', '/audit/export?object=1%2B1', { as: ana })).body).toContain(`"'=1+1"`);
  });

  test('as JSON is unbroken, writes down that it was made, and shows every change of it', async () => {
    const whole = await exported();
    const [written] = (await list('limit=1')).items;
    expect(written).toMatchObject({ act: 'audit.export', after: { format: 'json' } });
    expect(whole.entries.at(-1)?.no).toBe((written?.no ?? 0) - 1);
    expect(auditExportFaults(whole)).toEqual([]);
    expect(auditExportFaults(await exported('kind=role'))).toEqual([]);
    expect(whole.entries.length).toBeGreaterThan(6);
    const touched = (change: (copy: AuditExport) => void) => {
      const copy = structuredClone(whole);
      change(copy);
      return auditExportFaults(copy).map(({ no, fault }) => `${no} ${fault}`);
    };
    const at = (copy: AuditExport, place: number) => copy.entries[place] as AuditExport['entries'][number];
    expect(touched((copy) => copy.entries.splice(2, 1))).toEqual(['4 missing']);
    expect(touched((copy) => copy.entries.splice(0, 1))).toEqual(['2 missing']);
    expect(touched((copy) => copy.entries.splice(1, 2, at(copy, 2), at(copy, 1)))).toEqual([
      '3 missing',
      '2 order',
      '4 missing',
    ]);
    expect(touched((copy) => Object.assign(at(copy, 1), { act: 'logout' }))).toEqual(['2 contradicts']);
    expect(touched((copy) => Object.assign(at(copy, 1).actor, { name: 'Eve' }))).toEqual(['2 contradicts']);
    expect(touched((copy) => Object.assign(at(copy, 1), { at: '2026-01-01T00:00:00.000Z' }))).toEqual([
      '2 contradicts',
    ]);
    expect(touched((copy) => Object.assign(at(copy, 1), { text: '[]' }))).toEqual(['2 changed']);
    expect(touched((copy) => Object.assign(copy, { subscriberId: 'sub_other' }))).toHaveLength(whole.entries.length);
  });

  test('has every entry where there are more than one batch', async () => {
    const far = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Far'), 'far@example.com'));
    await lab.deps.db.withSubscriber(
      { subscriberId: far.subscriberId },
      (tx) =>
        tx.$executeRaw`
        insert into audit_entries (actor, act, object, after)
        select '{"kind":"system"}', 'settings.update', 'x', jsonb_build_object('n', n / 8.0, 'text', E'\u00e9\t"\\ \U0001F600')
          from generate_series(1, 2100) n`,
    );
    const { entries, ...head } = await exported('', far);
    expect(entries.map(({ no }) => no)).toEqual(Array.from({ length: 2101 }, (_, at) => at + 1));
    expect(auditExportFaults({ ...head, entries })).toEqual([]);
  });
});

describe('the chain', () => {
  const chain = async () => (await lab.call<Chain>('GET', '/audit/chain', { as: ana })).result;
  const faults = async () => (await chain()).faults.map(({ no, kind }) => `${no} ${kind}`);
  const restore = async (rows: unknown[]) =>
    asOwner(async (tx) => {
      await tx.$executeRaw`alter table audit_entries disable trigger chain`;
      await tx.$executeRaw`delete from audit_entries where subscriber_id = ${ana.subscriberId}`;
      await tx.$executeRaw`
        insert into audit_entries select * from jsonb_populate_recordset(null::audit_entries, ${JSON.stringify(rows)}::jsonb)`;
      await tx.$executeRaw`alter table audit_entries enable trigger chain`;
    });

  test('is whole, and tells where a row was changed, removed or swapped with another', async () => {
    const { count, last, faultCount } = await chain();
    expect(count).toBe(last?.no);
    expect(last?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(faultCount).toBe(0);
    const kept = await asOwner(
      (tx) =>
        tx.$queryRaw<{ row: unknown }[]>`
        select to_jsonb(entry) as row from audit_entries entry where subscriber_id = ${ana.subscriberId}`,
    );
    const rows = kept.map(({ row }) => row);
    const of = ana.subscriberId;
    const tamperings: [string[], (tx: Transaction) => Promise<unknown>][] = [
      [
        ['2 changed'],
        (tx) => tx.$executeRaw`update audit_entries set ip = '10.0.0.9' where subscriber_id = ${of} and no = 2`,
      ],
      [['4 missing'], (tx) => tx.$executeRaw`delete from audit_entries where subscriber_id = ${of} and no = 3`],
      [['2 missing'], (tx) => tx.$executeRaw`delete from audit_entries where subscriber_id = ${of} and no = 1`],
      [
        ['2 changed', '3 changed', '4 unlinked'],
        (tx) => tx.$executeRaw`
          update audit_entries one set (actor, act, object, before, after, ip, at, prev_hash, row_hash) =
            (select actor, act, object, before, after, ip, at, prev_hash, row_hash from audit_entries other
              where other.subscriber_id = ${of} and other.no = 5 - one.no)
           where subscriber_id = ${of} and no in (2, 3)`,
      ],
    ];
    for (const [expected, tamper] of tamperings) {
      await asOwner(tamper);
      expect(await faults()).toEqual(expected);
      await restore(rows);
      expect(await faults()).toEqual([]);
    }
    // Whoever also computes the row's own hash anew does not fit the next one.
    await asOwner(async (tx) => {
      await tx.$executeRaw`update audit_entries set act = 'logout' where subscriber_id = ${of} and no = 2`;
      await tx.$executeRaw`
        update audit_entries entry set row_hash = audit_hash(entry) where subscriber_id = ${of} and no = 2`;
    });
    expect(await faults()).toEqual(['3 unlinked']);
    await restore(rows);
  });
});

describe('the daily anchors', () => {
  let of: SignedIn;
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  const chain = async () => (await lab.call<Chain>('GET', '/audit/chain', { as: of })).result;
  const seen = async () => {
    const { faultCount, anchors } = await chain();
    return [faultCount, ...anchors.faults.map(({ no, fault }) => `${no} ${fault}`)];
  };
  const write = () => lab.call('POST', '/roles', { as: of, body: { name: `role ${Math.random()}`, permissions: [] } });
  const anchorsOf = async () => JSON.parse((await lab.call('GET', '/audit/anchors', { as: of })).body) as AuditAnchors;

  /** Computes the whole chain anew, as whoever owns the database can. */
  const rewrite = (tx: Transaction) => tx.$executeRaw`
    do $$ declare entry audit_entries; previous bytea := ''::bytea; begin
      for entry in select * from audit_entries order by subscriber_id, no loop
        if entry.no = 1 then previous := ''::bytea; end if;
        entry.prev_hash := previous;
        previous := audit_hash(entry);
        update audit_entries set prev_hash = entry.prev_hash, row_hash = previous where seq = entry.seq;
      end loop; end $$`;

  beforeAll(async () => {
    of = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Anchored'), 'abe@example.com'));
    await write();
    await write();
  });

  test('are made once a day, where something was written, for every subscriber, and hold', async () => {
    expect((await chain()).anchors).toEqual({ count: 0, last: null, faultCount: 0, faults: [] });
    // Two workers at the same moment.
    const made = await Promise.all([
      anchorAudit(lab.deps.engine, lab.deps.keys),
      anchorAudit(lab.deps.engine, lab.deps.keys),
    ]);
    expect(made[0] + made[1]).toBe(await lab.deps.db.asHost((tx) => tx.auditAnchor.count()));
    expect(await lab.deps.db.asHost((tx) => tx.auditAnchor.count())).toBeGreaterThan(2);
    await write();
    expect(await anchorAudit(lab.deps.engine, lab.deps.keys)).toBe(0);
    expect((await chain()).anchors).toMatchObject({ count: 1, last: { no: 3 }, faultCount: 0 });
    await anchorAudit(lab.deps.engine, lab.deps.keys, days(1));
    expect((await chain()).anchors).toMatchObject({ count: 2, last: { no: 4 }, faultCount: 0 });
    expect(await anchorAudit(lab.deps.engine, lab.deps.keys, days(2))).toBe(0);
  });

  test('find out a chain that was made anew, cut off, or signed by another', async () => {
    const kept = await anchorsOf();
    expect(kept.anchors.map(({ no }) => no)).toEqual([3, 4]);
    expect(await seen()).toEqual([0]);
    const { subscriberId } = of;
    // Inside its own walls the chain is whole again; the anchors know better.
    await asOwner(async (tx) => {
      await tx.$executeRaw`update audit_entries set ip = '10.9.9.9' where subscriber_id = ${subscriberId} and no = 2`;
      await rewrite(tx);
    });
    expect(await seen()).toEqual([0, '3 rewritten', '4 rewritten']);
    await asOwner(async (tx) => {
      await tx.$executeRaw`update audit_entries set ip = '127.0.0.1' where subscriber_id = ${subscriberId} and no = 2`;
      await rewrite(tx);
    });
    expect(await seen()).toEqual([0]);

    // Whoever also makes the anchors anew has not the key.
    await asOwner(
      (tx) =>
        tx.$executeRaw`update audit_anchors set hash = repeat('a', 64) where subscriber_id = ${subscriberId} and no = 3`,
    );
    expect(await seen()).toEqual([0, '3 forged']);
    await asOwner(
      (tx) =>
        tx.$executeRaw`update audit_anchors set hash = ${kept.anchors[0]?.hash} where subscriber_id = ${subscriberId} and no = 3`,
    );
    await asOwner((tx) => tx.$executeRaw`delete from audit_entries where subscriber_id = ${subscriberId} and no > 3`);
    expect(await seen()).toEqual([0, '4 cutOff']);
  });

  test('cannot be changed by the product itself', async () => {
    const { subscriberId } = of;
    for (const change of [
      (tx: Transaction) => tx.$executeRaw`update audit_anchors set no = 1`,
      (tx: Transaction) => tx.$executeRaw`delete from audit_anchors`,
    ]) {
      await expect(lab.deps.db.withSubscriber({ subscriberId }, change)).rejects.toThrow(/permission denied/);
      await expect(lab.deps.db.asHost(change)).rejects.toThrow(/permission denied/);
    }
  });

  test('are downloaded by whoever may export, which is written down, and hold in an export', async () => {
    const kept = await anchorsOf();
    const key = certificateKey(lab.deps.keys);
    const whole = JSON.parse((await lab.call('GET', '/audit/export?format=json', { as: of })).body) as AuditExport;
    expect(whole.entries.at(-1)).toMatchObject({ act: 'audit.export', after: { format: 'anchors' } });
    const hashes = new Map(whole.entries.map(({ no, hash }) => [no, hash]));
    const faults = (signedFor: string, trusted = key) =>
      anchorFaults({ ...kept, subscriberId: signedFor }, trusted, (no) => hashes.get(no)).map(({ fault }) => fault);
    // The fourth entry is another one since it was cut off.
    expect(faults(kept.subscriberId)).toEqual(['rewritten']);
    expect(faults('sub_other')).toEqual(['forged', 'forged']);
    const viewer = await lab.signIn(await lab.makePerson(of.subscriberId, 'viv@example.com', ['audit.view']));
    expect((await lab.call('GET', '/audit/anchors', { as: viewer })).statusCode).toBe(403);
  });
});
