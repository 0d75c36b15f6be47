import { parse as parseQuery } from 'node:querystring';
import { problem } from '@pdf2press/contract';
import type { FastifyInstance } from 'fastify';

const refused = new Set(['__proto__', 'constructor', 'prototype']);

const isPoisonedQuery = Symbol('poisoned query');

/**
 * Reads query strings with arrays in brackets (`status[]=…` or `status[0]=…`) and nested keys with dots. Names that could
 * change an object's prototype are left out and marked. It must not throw: the router calls it outside the error handler.
 */
export function readQuery(text: string): Record<string | symbol, unknown> {
  const result: Record<string | symbol, unknown> = {};
  for (const [name, value] of Object.entries(parseQuery(text))) {
    const list = /^(.+?)\[\d*\]$/.exec(name);
    const key = list?.[1] ?? name;
    if (key.split(/[.[\]]/).some((part) => refused.has(part))) result[isPoisonedQuery] = true;
    else if (!list) result[key] = value;
    else result[key] = [result[key] ?? [], value ?? []].flat();
  }
  return result;
}

const isPoisoned = (key: string, value: unknown): boolean =>
  key === '__proto__' || (key === 'constructor' && typeof value === 'object' && value !== null && 'prototype' in value);

/** Parsers for the media types that the routes take: JSON, where an empty body means none. Other types are refused. */
export function installParsers(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ query }) => {
    if (isPoisonedQuery in (query as object)) throw problem('request.invalid', {}, 'query');
  });
  app.removeAllContentTypeParsers();
  const types = ['application/json', 'application/csp-report', 'application/reports+json'];
  app.addContentTypeParser(types, { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined);
    try {
      const value: unknown = JSON.parse(String(text), (key, inner: unknown) => {
        if (isPoisoned(key, inner)) throw problem('request.invalid', {}, key);
        return inner;
      });
      done(null, value);
    } catch (error) {
      done(error instanceof SyntaxError ? problem('request.invalid') : (error as Error));
    }
  });
  // The route of resumable uploads reads the stream itself.
  app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null, undefined));
}
