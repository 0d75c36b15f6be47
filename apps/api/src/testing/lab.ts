import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Envelope, Permission } from '@pdf2press/contract';
import { deliverDue, deliverMail } from '@pdf2press/engine';
import { type Env, readEnv } from '@pdf2press/engine/env';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import { hashPassword } from '../auth/passwords.ts';
import { build } from '../build.ts';
import { createDeps } from '../create-deps.ts';
import type { ApiDeps } from '../deps.ts';
import { createAdministrator, createSubscriber } from '../setup/subscribers.ts';

/** Meets the default password policy. */
export const password = 'Tr0ub4dor&3';

export interface Person {
  id: string;
  subscriberId: string;
  email: string;
}

export interface SignedIn extends Person {
  token: string;
  refreshToken: string;
}

/** A real app on a real Postgres, in a folder of its own. */
export interface Lab {
  app: FastifyInstance;
  deps: ApiDeps;
  /** Calls below `/api` as somebody, or as nobody. */
  call<T = unknown>(
    method: InjectOptions['method'],
    url: string,
    options?: { as?: { token: string } | undefined; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer<T>>;
  makeSubscriber(name: string): Promise<string>;
  makeAdministrator(subscriberId: string, email: string): Promise<Person>;
  /** A person with a role that holds just these. */
  makePerson(subscriberId: string, email: string, permissions: readonly Permission[]): Promise<Person>;
  signIn(person: Person, headers?: Record<string, string>): Promise<SignedIn>;
  /** Sends what waits to be sent, as a worker would. */
  deliverMails(): Promise<void>;
  /** Starts listening; resolves to the origin. */
  listen(): Promise<string>;
  stop(): Promise<void>;
}

export interface Answer<T> extends Omit<LightMyRequestResponse, 'json'> {
  envelope: Envelope<T>;
  /** Fails the test unless the call succeeded. */
  result: T;
}

function answerOf<T>(response: LightMyRequestResponse): Answer<T> {
  const envelope = () => JSON.parse(response.body) as Envelope<T>;
  const result = () => {
    const { success, result: inside } = envelope();
    if (!success) throw new Error(`${response.statusCode} ${response.body}`);
    return inside;
  };
  return Object.defineProperties(response, {
    envelope: { get: envelope },
    result: { get: result },
  }) as unknown as Answer<T>;
}

export async function startLab({
  limitFactor = 1000,
  variables = {},
}: {
  limitFactor?: number;
  variables?: NodeJS.ProcessEnv;
} = {}): Promise<Lab> {
  const postgres = await startTestPostgres();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-api-'));
  const env: Env = readEnv({
    DATABASE_URL: postgres.migratedUrl,
    DATA_DIR: dataDir,
    CAPTCHA_PROVIDER: 'off',
    LOG_LEVEL: 'silent',
    // Tests run beside others on a busy machine.
    OVERLOAD_DELAY_MS: '600000',
    ...variables,
  });
  const { deps, close, stop } = await createDeps(env, pino({ level: process.env.LAB_LOG ?? 'silent' }), {
    limitFactor,
    patience: 100_000,
  });
  const app = await build(deps);
  await app.ready();

  const insertPerson = (subscriberId: string, email: string, permissions: readonly Permission[] | undefined) =>
    deps.db.asHost(async (tx): Promise<Person> => {
      const names = { firstName: email.split('@')[0] ?? '', lastName: 'Test', locale: 'en' };
      const passwordHash = await hashPassword(password);
      const id = await createAdministrator(tx, { subscriberId, email, passwordHash, ...names });
      if (!permissions) return { id, subscriberId, email };
      const roleId = newId('role');
      await tx.role.create({
        data: { id: roleId, subscriberId, name: `role of ${email}`, permissions: [...permissions] },
      });
      await tx.userRole.deleteMany({ where: { userId: id } });
      await tx.userRole.create({ data: { subscriberId, userId: id, roleId } });
      return { id, subscriberId, email };
    });

  const lab: Lab = {
    app,
    deps,
    call: async (method, url, { as, body, headers = {} } = {}) =>
      answerOf(
        await app.inject({
          method: method ?? 'GET',
          url: /^\/(healthz|metrics)/.test(url) ? url : `/api${url}`,
          headers: { ...(as ? { authorization: `Bearer ${as.token}` } : {}), ...headers },
          ...(body === undefined ? {} : { payload: body as InjectOptions['payload'] & object }),
        }),
      ),
    makeSubscriber: (name) => deps.db.asHost((tx) => createSubscriber(tx, name)),
    makeAdministrator: (subscriberId, email) => insertPerson(subscriberId, email, undefined),
    makePerson: insertPerson,
    signIn: async (person, headers = {}) => {
      const { result } = await lab.call<{ authToken: string; refreshToken: string }>('POST', '/TokenAuth/login', {
        body: { email: person.email, password },
        headers,
      });
      return { ...person, token: result.authToken, refreshToken: result.refreshToken };
    },
    deliverMails: async () => {
      await deps.background.idle();
      const mail = deliverMail(deps.engine, {
        keys: deps.keys,
        environment: deps.mail,
        title: env.title,
        baseUrl: env.publicUrl,
      });
      const limits = { count: 20, stopped: new AbortController().signal };
      while ((await deliverDue(deps.engine, { mail }, limits)) > 0);
    },
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    stop: async () => {
      stop();
      const closing = app.close();
      // The test is over; clients that it left keep their connections open for more than a minute.
      app.server.closeAllConnections();
      await closing;
      await close();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return lab;
}
