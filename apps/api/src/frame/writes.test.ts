import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installWrites, isWriting } from './writes.ts';

let app: FastifyInstance;
let origin: string;
const atTheDoor: boolean[] = [];

beforeAll(async () => {
  app = fastify();
  installWrites(app);
  await app.register(multipart);
  app.addHook('onRequest', async () => {
    atTheDoor.push(isWriting());
  });
  app.get('/', async () => isWriting());
  app.post('/', async () => isWriting());
  app.put('/', async (request) => {
    for await (const part of request.parts()) if (part.type === 'file') await part.toBuffer();
    return isWriting();
  });
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

test('what answers a request knows whether it writes, also after its body was read', async () => {
  const ask = async (method: string, init: RequestInit = {}) =>
    (await (await fetch(origin, { method, ...init })).json()) as boolean;
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(300_000)]), 'a.pdf');
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text: 'x'.repeat(200_000) }) };
  const asked = [ask('GET'), ask('POST', json), ask('GET'), ask('PUT', { body: form }), ask('POST')];
  expect(await Promise.all(asked)).toEqual([false, true, false, true, true]);
  expect(atTheDoor.filter(Boolean)).toHaveLength(3);
});
