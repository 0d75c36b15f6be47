/** The font library: uploads are read in a limited child process, licences count, and nobody reaches another's fonts. */
import { createHash } from 'node:crypto';
import type { AuditEntry, LibraryFont } from '@pdf2press/contract';
import { houseFont } from '@pdf2press/fix/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { form } from '../testing/form.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let home: string;
let admin: SignedIn;
let viewer: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  lab = await startLab();
  home = await lab.makeSubscriber('Home Print');
  admin = await lab.signIn(await lab.makeAdministrator(home, 'admin@example.com'));
  viewer = await lab.signIn(await lab.makePerson(home, 'viewer@example.com', ['fonts.view']));
  const away = await lab.makeSubscriber('Other Print');
  stranger = await lab.signIn(await lab.makeAdministrator(away, 'stranger@example.com'));
});
afterAll(() => lab.stop());

const sans = { family: 'House Sans', style: 'Bold', postScriptName: 'HouseSans-Bold', fsType: 8 };

const upload = (bytes: Uint8Array, as = admin, name = 'house.ttf') => {
  const { body, headers } = form({}, { name, bytes: Buffer.from(bytes) });
  return lab.call<LibraryFont>('POST', '/fonts', { as, body, headers });
};
const list = (as = admin, query = '') =>
  lab.call<{ items: LibraryFont[]; total: number }>('GET', `/fonts${query}`, { as });

test('a font is uploaded, told with its facts, found by its names, and removed; each act is in the audit', async () => {
  const { statusCode, result } = await upload(houseFont(sans));
  expect(statusCode).toBe(201);
  expect(result).toMatchObject({
    ...{ postScriptName: 'HouseSans-Bold', family: 'House Sans', style: 'Bold', fullName: 'House Sans Bold' },
    ...{ kind: 'TrueType', embedding: 'Editable', isSubsettingForbidden: false, mayEmbed: true },
    ...{ fileName: 'house.ttf', size: houseFont(sans).length, lastUsedAt: null },
  });
  expect((await list(viewer)).result).toMatchObject({ items: [result], total: 1 });
  expect((await list(admin, '?search=sans-b')).result.total).toBe(1);
  expect((await list(admin, '?search=serif')).result.total).toBe(0);

  const again = await upload(houseFont(sans));
  expect([again.statusCode, again.envelope.errors[0]?.code]).toEqual([409, 'font.isThere']);

  expect((await lab.call('DELETE', `/fonts/${result.id}`, { as: viewer })).statusCode).toBe(403);
  expect((await lab.call('DELETE', `/fonts/${result.id}`, { as: admin })).statusCode).toBe(200);
  expect((await list()).result.total).toBe(0);
  expect((await lab.call('DELETE', `/fonts/${result.id}`, { as: admin })).statusCode).toBe(404);

  const { result: audit } = await lab.call<{ items: AuditEntry[] }>('GET', '/audit?kind=font', { as: admin });
  expect(audit.items.map(({ act, object }) => [act, object.id, object.name])).toEqual([
    ['font.remove', result.id, 'HouseSans-Bold'],
    ['font.add', result.id, 'HouseSans-Bold'],
  ]);
});

test.each([
  ['a font whose licence forbids embedding', houseFont({ ...sans, fsType: 2 }), 'font.restricted'],
  ['a font of which only bitmaps may be embedded', houseFont({ ...sans, fsType: 0x200 }), 'font.restricted'],
  ['a file that is no font', Buffer.from('%PDF-1.4 this is no font at all'), 'font.unreadable'],
  ['a font that is cut off', houseFont(sans).subarray(0, 9000), 'font.unreadable'],
])('%s is refused, and its bytes belong to nothing', async (_, bytes, code) => {
  const refused = await upload(bytes);
  expect([refused.statusCode, refused.envelope.errors[0]]).toMatchObject([422, { code, field: 'file' }]);
  expect((await list()).result.total).toBe(0);
  // The row by which the collector finds the bytes.
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const rows = await lab.deps.db.withSubscriber({ subscriberId: home }, (tx) => tx.blob.count({ where: { sha256 } }));
  expect(rows).toBe(1);
});

test('whoever may not manage fonts adds none; another subscriber sees and removes none', async () => {
  expect((await upload(houseFont(sans), viewer)).statusCode).toBe(403);
  const { result } = await upload(houseFont({ ...sans, fsType: 0x104 }));
  expect(result).toMatchObject({ embedding: 'PreviewAndPrint', isSubsettingForbidden: true });
  expect((await list(stranger)).result).toMatchObject({ items: [], total: 0 });
  expect((await lab.call('DELETE', `/fonts/${result.id}`, { as: stranger })).statusCode).toBe(404);
  expect((await list()).result.total).toBe(1);
  expect((await lab.call('POST', '/fonts', { as: admin, body: {} })).envelope.errors[0]?.code).toBe('request.notJson');
  expect((await lab.call('DELETE', `/fonts/${result.id}`, { as: admin })).statusCode).toBe(200);
});
