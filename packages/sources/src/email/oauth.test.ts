import { sampled } from '@pdf2press/config/by-day';
import { mailServices, SourceFaultError } from '@pdf2press/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceTools } from '../source.ts';
import { type CloudServer, startCloudServer } from '../testing/cloud-server.ts';
import { hasDovecot, startDovecot, type TestDovecot } from '../testing/dovecot.ts';
import { type MailboxSecret, type MailboxSettings, mailboxSettingsSchema } from './contract.ts';
import { mailProvider } from './mail-service.ts';
import { run } from './run.ts';
import { tryMailbox } from './try-mailbox.ts';

describe.skipIf(!hasDovecot).each(sampled(mailServices, 2))(
  'a mailbox at %s, on a real server (skipped without dovecot)',
  (service) => {
    let identity: CloudServer;
    let mails: TestDovecot;
    let secret: MailboxSecret;
    let memory: Map<string, unknown>;

    beforeEach(async () => {
      identity = await startCloudServer(mailProvider(service));
      mails = await startDovecot({ introspection: `${identity.address}/introspect` });
      secret = { refreshToken: identity.grant() };
      memory = new Map();
      await mails.put(identity.account, { attachments: [{ name: 'card.pdf', content: '%PDF-1.4' }] });
    });
    afterEach(async () => {
      await mails.stop();
      await identity.stop();
    });

    const settingsOf = (change: Partial<MailboxSettings> = {}): MailboxSettings =>
      mailboxSettingsSchema.parse({
        ...{ signInWith: service, host: 'localhost', port: mails.port, security: 'none', workflowId: 'wfl_1' },
        ...{ username: identity.account, startWith: 'all', ...change },
      });
    const toolsOf = (): SourceTools => ({
      root: '',
      memory,
      now: () => performance.now(),
      takesSidecars: false,
      variables: [],
      addressOf: async () => '127.0.0.1',
      fetch: (address, { body = null, ...request }) => fetch(address, { ...request, body }),
      cloudApps: {
        [mailProvider(service)]: {
          ...{ clientId: identity.clientId, clientSecret: identity.clientSecret, endpoint: identity.address },
        },
      },
      asked: async () => new Map(),
      renewSecret: async (renewed) => {
        secret = renewed as MailboxSecret;
      },
    });
    /** The names of what a poll finds. */
    async function poll(change: Partial<MailboxSettings> = {}): Promise<string[]> {
      const { signal } = new AbortController();
      const connection = { settings: settingsOf(change), secret };
      const found: string[] = [];
      const tools = toolsOf();
      const cursor = undefined;
      for await (const { name } of run({ settings: { connectionId: 'prf_1' }, connection, cursor, signal, tools }))
        found.push(name);
      return found;
    }
    const tokensAsked = () => identity.asked.filter((asked) => asked.endsWith('/token')).length;

    test('it is read with an access token, which serves until it ends or the server refuses it', async () => {
      expect(await poll()).toEqual(['card.pdf']);
      expect(await poll()).toEqual(['card.pdf']);
      expect(tokensAsked()).toBe(1);
      identity.endAccess();
      expect(await poll()).toEqual(['card.pdf']);
      expect(tokensAsked()).toBe(2);
    });

    test('what the service makes of the grant is kept', async () => {
      const before = secret;
      await poll();
      if (service === 'Microsoft') expect(secret).not.toEqual(before);
      else expect(secret).toEqual(before);
      memory.clear();
      expect(await poll()).toEqual(['card.pdf']);
    });

    test('a withdrawn consent asks for another, a service that rests for time', async () => {
      identity.revoke();
      await expect(poll()).rejects.toEqual(new SourceFaultError('source.signInNeeded'));
      secret = { refreshToken: identity.grant() };
      const busy = { status: 429, headers: { 'retry-after': '7' }, body: '' };
      identity.failNext(({ url }) => (url.pathname.endsWith('/token') ? busy : undefined));
      await expect(poll()).rejects.toEqual(new SourceFaultError('source.busy', { seconds: 7 }));
      expect(await poll()).toEqual(['card.pdf']);
    });

    test('a mailbox of somebody else is refused by the mail server', async () => {
      await expect(poll({ username: 'somebody@example.com' })).rejects.toEqual(new SourceFaultError('source.denied'));
    });

    const trialOf = async (change: Partial<MailboxSettings>, given: unknown, cloudApps = toolsOf().cloudApps) => {
      const { signal } = new AbortController();
      const trial = await tryMailbox(settingsOf(change), { secret: given, tools: { ...toolsOf(), cloudApps }, signal });
      return trial.failed ? [trial.failed.stage, trial.failed.code] : trial.mails;
    };

    test('its connection is tried stage by stage, the access first', async () => {
      expect(await trialOf({}, secret)).toBe(1);
      expect(await trialOf({}, undefined)).toEqual(['access', 'source.signInNeeded']);
      expect(await trialOf({}, { password: mails.password })).toEqual(['access', 'source.signInNeeded']);
      expect(await trialOf({}, secret, {})).toEqual(['access', 'source.notSetUp']);
      expect(await trialOf({ port: 1 }, secret)).toEqual(['connect', 'source.unreachable']);
      expect(await trialOf({ username: 'somebody@example.com' }, secret)).toEqual(['signIn', 'source.denied']);
      identity.revoke();
      expect(await trialOf({}, secret)).toEqual(['access', 'source.signInNeeded']);
    });
  },
);
