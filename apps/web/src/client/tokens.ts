import type { Call, RouteResult, TokenResult } from '@pdf2press/contract';
import { authRoutes } from '@pdf2press/contract/calls';
import { tokenRefreshThresholdSeconds } from '../constants.ts';
import { preferenceKey, readKey, removeKey, writeKey } from '../preferences/kept.ts';
import { CallError } from './call-error.ts';
import { dropEarlyAnswers, takeEarlyTokens } from './early.ts';

/**
 * The access token lives in memory only; the refresh token is an HttpOnly cookie that no script can read. A mark in local
 * storage says that one may exist, so that a first visit does not cause a failing call.
 */
interface Held {
  token: string;
  /** Expiry, milliseconds by this machine's clock. */
  expiresAt: number;
}

/** Embedded pages: the token from the address, in memory only, and the access token it was last exchanged for. */
interface Embedded {
  token: string;
  access: Held | null;
  /** Origins that may receive messages from this page. */
  origins: readonly string[];
}

const markKey = preferenceKey('signed-in');
const lockName = preferenceKey('refresh');

let held: Held | null = null;
let embedded: Embedded | null = null;
let underway: Promise<string | null> | null = null;
let hasExpired = false;

type News = { kind: 'tokens'; held: Held } | { kind: 'signedOut' };
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(preferenceKey('tokens'));
const listeners = new Set<(isSignedIn: boolean) => void>();

channel?.addEventListener('message', ({ data }: MessageEvent<News>) => {
  held = data.kind === 'tokens' ? data.held : null;
  if (data.kind === 'tokens') return;
  dropEarlyAnswers();
  for (const listener of listeners) listener(false);
});

/** Listens for a sign-out in another tab. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  const heard = (isSignedIn: boolean) => {
    if (!isSignedIn) listener();
  };
  listeners.add(heard);
  return () => listeners.delete(heard);
}

const isFresh = (one: Held | null): one is Held =>
  one !== null && one.expiresAt - Date.now() >= tokenRefreshThresholdSeconds * 1000;

export const mayBeSignedIn = (): boolean => embedded !== null || held !== null || readKey(markKey) !== null;
export const isEmbedded = (): boolean => embedded !== null;

/**
 * Starts embed mode with the token from the address, which is exchanged when needed and never stored. An empty token
 * grants nothing; null ends the mode.
 */
export function holdEmbedToken(token: string | null): void {
  embedded = token === null ? null : { token, access: null, origins: [] };
}

/** Origins that may receive messages from this page; empty before the first exchange. */
export const embedOrigins = (): readonly string[] => embedded?.origins ?? [];

/** Whether the server ended the sign-in. False after signing out. */
export const signInHasExpired = (): boolean => hasExpired;

export function keepTokens(result: TokenResult): void {
  hasExpired = false;
  held = { token: result.authToken, expiresAt: Date.now() + result.expiresIn * 1000 };
  writeKey(markKey, 'true');
  channel?.postMessage({ kind: 'tokens', held } satisfies News);
}

export function forgetTokens({ isExpired = false } = {}): void {
  hasExpired = isExpired;
  const wasSignedIn = held !== null;
  dropEarlyAnswers();
  held = null;
  removeKey(markKey);
  if (wasSignedIn) channel?.postMessage({ kind: 'signedOut' } satisfies News);
}

/** An access token valid for at least ten seconds, or null when nobody is signed in. @throws CallError when the server does not answer */
export async function accessToken(): Promise<string | null> {
  const now = embedded ? embedded.access : held;
  if (isFresh(now)) return now.token;
  if (!mayBeSignedIn()) return null;
  underway ??= (embedded ? exchange(embedded) : renew()).finally(() => {
    underway = null;
  });
  return underway;
}

/** By the early call, which is under way already, or else in turn with other tabs. */
async function renew(): Promise<string | null> {
  const early = await takeEarlyTokens();
  return early ? keep(await resultOf(early)) : inTurn(refresh);
}

/** Runs in one tab at a time. Without the Web Locks API (plain http) tabs run independently. */
const inTurn = (act: () => Promise<string | null>): Promise<string | null> =>
  typeof navigator !== 'undefined' && navigator.locks ? navigator.locks.request(lockName, act) : act();

/** The result of a public route, or null when the server refuses the credential. @throws CallError without an answer */
async function ask<const R extends Call>(route: R, given: object): Promise<RouteResult<R> | null> {
  let response: Response;
  try {
    response = await fetch(`/api${route.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      credentials: 'same-origin',
      body: JSON.stringify(given),
    });
  } catch (cause) {
    throw new CallError({ kind: 'network' }, { cause });
  }
  if (response.status === 429 || response.status >= 500) {
    throw new CallError({ kind: 'server', status: response.status, requestId: response.headers.get('x-request-id') });
  }
  return resultOf(response);
}

async function resultOf<T>(response: Response): Promise<T | null> {
  const body = response.ok ? ((await response.json()) as { success: boolean; result: T | null }) : null;
  return body?.success ? body.result : null;
}

async function exchange(page: Embedded): Promise<string | null> {
  if (page.token === '') return null;
  const { exchangeRoute } = await import('./exchange-route.ts');
  const result = await ask(exchangeRoute, { token: page.token });
  page.access = result && { token: result.authToken, expiresAt: Date.now() + result.expiresIn * 1000 };
  page.origins = result?.origins ?? page.origins;
  return result?.authToken ?? null;
}

async function refresh(): Promise<string | null> {
  // Another tab may have refreshed while this one waited for the lock.
  return isFresh(held) ? held.token : keep(await ask(authRoutes.refresh, {}));
}

function keep(result: TokenResult | null): string | null {
  if (result) keepTokens(result);
  else forgetTokens({ isExpired: true });
  return result?.authToken ?? null;
}
