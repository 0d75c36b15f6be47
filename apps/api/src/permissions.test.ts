import {
  featureKeys,
  type HostPermission,
  hostPermissions,
  type Permission,
  permissions,
  type Route,
  routes,
} from '@pdf2press/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Lab, type SignedIn, startLab } from './testing/lab.ts';

/** Every permission guards something, and every route is guarded or says why it is not. */

const named = Object.entries(routes).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, route]): { name: string; noun: string; route: Route } => ({
    name: `${noun}.${name}`,
    noun,
    route,
  })),
);

/** Routes that ask for no permission: by name, or all those of a noun, and why. */
const unguarded: Readonly<Record<'public' | 'signedIn', Readonly<Record<string, readonly string[]>>>> = {
  public: {
    'before anybody is signed in': [
      ...['auth.login', 'auth.refresh', 'auth.logout', 'auth.forgotPassword', 'auth.resetPassword', 'auth.captcha'],
      ...['auth.passwordPolicy', 'auth.setupState', 'auth.setup', 'embedTokens.exchange', 'passkeys.signInOptions'],
      ...['passkeys.signIn', 'secondFactors.signIn', 'singleSignOn.offer', 'singleSignOn.begin', 'singleSignOn.finish'],
    ],
    'opened by a secret in its address': ['clientProofs', 'deliveredFiles', 'organizations.logo'],
    'the upload page of an organization': ['uploadPages'],
    'known to everybody, or from a browser that knows nobody': [
      ...['system.certificateKey', 'system.appInfo', 'system.cspReport'],
    ],
  },
  signedIn: {
    'about the own account': [
      ...['auth.me', 'auth.updateMe', 'auth.changePassword', 'auth.mySessions', 'auth.revokeMySession'],
      ...['passkeys.list', 'passkeys.begin', 'passkeys.add', 'passkeys.rename', 'passkeys.remove'],
      ...['secondFactors.read', 'secondFactors.begin', 'secondFactors.confirm', 'secondFactors.renewCodes'],
      ...['secondFactors.switchOff', 'singleSignOn.own', 'singleSignOn.beginLink', 'singleSignOn.link'],
      'singleSignOn.unlink',
    ],
    'told to the caller alone': [
      ...['system.notifications', 'system.noticeKinds', 'system.muteNotices', 'system.markNotificationsRead'],
      'system.markNotificationRead',
    ],
    'open to whoever works here': ['feedback.ask', 'feedback.send', 'system.cultures', 'system.features'],
  },
};

describe.each(['public', 'signedIn'] as const)('routes that are %s', (kind) => {
  const open = named.filter(({ route }) => route.access.kind === kind);
  const allowed = Object.values(unguarded[kind]).flat();

  test('are those that have a reason', () => {
    const unknown = open.filter(({ name, noun }) => !allowed.includes(name) && !allowed.includes(noun));
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });

  test('have no reason left without a route', () => {
    expect(allowed.filter((name) => !open.some((each) => each.name === name || each.noun === name))).toEqual([]);
  });
});

let lab: Lab;
let ana: SignedIn;
let host: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  const person = await lab.makeAdministrator(subscriberId, 'host@example.com');
  await lab.deps.db.asHost((tx) =>
    tx.hostFact.create({ data: { key: 'host.administrators', value: [person.id] }, select: { key: true } }),
  );
  host = await lab.signIn(person);
}, 120_000);
afterAll(() => lab.stop());

const isDenied = ({ envelope }: Answer<unknown>) => envelope.errors[0]?.code === 'access.denied';
const bulk = (action: string) => (as: SignedIn) =>
  lab.call('POST', '/sessions/bulk', { as, body: { action, ids: ['ses_none'] } }).then(isDenied);

/** Permissions that no route names, because they guard a part of one: whether that part is refused to somebody. */
const partly: Partial<Record<Permission, (as: SignedIn) => Promise<boolean>>> = {
  'dashboard.savings.view': async (as) =>
    (await lab.call<{ savings: object | null }>('GET', '/dashboard', { as })).result.savings === null,
  'sessions.archive': bulk('archive'),
  'sessions.unarchive': bulk('unarchive'),
  'users.roles.assign': async (as) => {
    const { result } = await lab.call<{ items: { id: string; name: string }[] }>('GET', '/roles', { as: ana });
    const roleIds = result.items.filter(({ name }) => name === 'Viewer').map(({ id }) => id);
    expect(roleIds).toHaveLength(1);
    const body = { firstName: 'Bo', email: `bo-${as.id}@example.com`, roleIds, sendActivationEmail: false };
    return isDenied(await lab.call('POST', '/users', { as, body }));
  },
};

const guarding = new Set(
  named.flatMap(({ route: { access } }) =>
    access.kind === 'permission' ? access.anyOf : access.kind === 'host' ? [access.permission] : [],
  ),
);

describe('a permission', () => {
  test('guards a route, or a part of one', () => {
    expect(permissions.filter((name) => !guarding.has(name) && !partly[name])).toEqual([]);
  });

  test.each(Object.entries(partly))('%s guards a part of a route', async (permission, isRefused) => {
    const all = permissions.filter((name) => name !== permission);
    const without = await lab.makePerson(ana.subscriberId, `without-${permission}@example.com`.toLowerCase(), all);
    expect(await isRefused(await lab.signIn(without))).toBe(true);
    expect(await isRefused(ana), 'somebody who has it').toBe(false);
  });
});

/** Of the installation, as above. */
const partlyHosts: Partial<Record<HostPermission, (as: SignedIn) => Promise<boolean>>> = {
  'notifications.system.manage': async (as) => {
    const { result } = await lab.call<{ kind: string }[]>('GET', '/notifications/kinds', { as });
    return !result.some(({ kind }) => kind === 'release.newer');
  },
  'host.features.manage': async (as) => {
    const url = `/host/subscribers/${ana.subscriberId}`;
    const { features } = (await lab.call<{ features: string[] }>('GET', url, { as })).result;
    const body = { name: 'Paper + Ink', features: features.length > 0 ? [] : featureKeys };
    return isDenied(await lab.call('PUT', url, { as, body }));
  },
};

describe('a permission of the installation', () => {
  test('guards a route, or a part of one', () => {
    expect(hostPermissions.filter((name) => !guarding.has(name) && !partlyHosts[name])).toEqual([]);
  });

  test.each(Object.entries(partlyHosts))('%s guards a part of a route', async (permission, isRefused) => {
    // Its administrators have all of them; here one is taken away.
    const { callers } = lab.deps;
    const whole = callers.bySession;
    callers.bySession = async (id) => {
      const caller = await whole(id);
      const held = [...(caller?.hostPermissions ?? [])].filter((name) => name !== permission);
      return caller && { ...caller, hostPermissions: new Set(held) };
    };
    try {
      expect(await isRefused(host)).toBe(true);
    } finally {
      callers.bySession = whole;
    }
    expect(await isRefused(host), 'somebody who has it').toBe(false);
  });
});
