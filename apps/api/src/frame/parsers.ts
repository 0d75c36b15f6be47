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

/** Levels of objects and lists inside one another; no body of the contract comes near it. */
const deepest = 100;

/**
 * Refuses what schemas would not look for: keys that could change an object's prototype, and more levels than functions
 * that call themselves can follow. A loop over the finished value, because a reviver given to JSON.parse takes a hundred
 * times as long.
 */
function refusePoison(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > deepest) throw problem('request.invalid');
    if (Array.isArray(value)) {
      for (const inner of value) if (typeof inner === 'object') open.push({ value: inner, depth: depth + 1 });
      continue;
    }
    for (const [key, inner] of Object.entries(value)) {
      if (isPoisoned(key, inner)) throw problem('request.invalid', {}, key);
      if (typeof inner === 'object') open.push({ value: inner, depth: depth + 1 });
    }
  }
}

/** Reads JSON that a stranger wrote. @throws ProblemError `request.invalid` */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problem('request.invalid');
  }
  refusePoison(value);
  return value;
}

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
      done(null, readJson(String(text)));
    } catch (error) {
      done(error as Error);
    }
  });
  // The route of resumable uploads reads the stream itself.
  app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null, undefined));
}
