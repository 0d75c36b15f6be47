import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installWebApp } from './web-app.ts';

const script = 'console.log("a page’s part, long enough to be worth it");\n'.repeat(50);
const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-web-'));
let app: FastifyInstance;
beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>the page</title><noscript><p>x</p></noscript>');
  writeFileSync(path.join(folder, 'assets/app-1a2b.js'), script);
  writeFileSync(path.join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(script));
  app = Fastify();
  await installWebApp(app, { folder, frameAncestors: async () => [] });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const script1a2b = (encodings: string) =>
  app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': encodings } });

test('scripts are sent compressed to clients that accept it, and may be cached for ever', async () => {
  const small = await script1a2b('gzip, br');
  expect(small.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringMatching(/accept-encoding/i),
  });
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(script);
});

test('and uncompressed to others', async () => {
  const plain = await script1a2b('identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body).toBe(script);
});

test('the page itself is revalidated each time', async () => {
  const { headers, body } = await app.inject({ url: '/', headers: { accept: 'text/html' } });
  expect(headers['cache-control']).toBe('no-cache');
  expect(body).toContain('the page');
});

test('on the address of a proof, and on no other, browsers without scripts are led on to the plain page', async () => {
  const bodyOf = async (url: string) => (await app.inject({ url, headers: { accept: 'text/html' } })).body;
  const plain = '/api/client-proofing/ses_1/a-B_c/plain';
  for (const url of [
    '/client-proofing/ses_1/a-B_c',
    '/client-proofing/ses_1/a-B_c/',
    '/client-proofing/ses_1/a-B_c?lang=fr',
  ]) {
    const body = await bodyOf(url);
    expect(body).toContain(`<noscript><meta http-equiv="refresh" content="0; url=${plain}"><p><a href="${plain}">`);
    expect(body).toContain('<p>x</p></noscript>');
  }
  for (const url of [
    '/',
    '/client-proofing/ses_1',
    '/client-proofing/a/b/c',
    '/client-proofing/a/%22%3E',
    '/delivered/a/b',
  ])
    expect(await bodyOf(url)).not.toContain('http-equiv');
});
