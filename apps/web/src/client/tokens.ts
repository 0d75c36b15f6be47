import { authRoutes, type TokenResult } from '@pdf2press/contract';
import { tokenRefreshThresholdSeconds } from '../constants.ts';
import { preferenceKey, readKey, removeKey, writeKey } from '../preferences/preferences.ts';
import { CallError } from './call-error.ts';

/**
 * The access token lives in memory only; the refresh token is an HttpOnly cookie that no script can read. A mark in local
 * storage says that there may be one, so that a first visitor causes no failing call.
 */
interface Held {
  token: string;
  /** Milliseconds, this machine's clock. */
  expiresAt: number;
}

const markKey = preferenceKey('signed-in');
const lockName = preferenceKey('refresh');

let held: Held | null = null;
let embedded: string | null = null;
let underway: Promise<string | null> | null = null;

type News = { kind: 'tokens'; held: Held } | { kind: 'signedOut' };
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(preferenceKey('tokens'));
const listeners = new Set<(isSignedIn: boolean) => void>();

channel?.addEventListener('message', ({ data }: MessageEvent<News>) => {
  held = data.kind === 'tokens' ? data.held : null;
  if (data.kind === 'signedOut') for (const listener of listeners) listener(false);
});

/** Hears of a sign-out in another tab. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  const heard = (isSignedIn: boolean) => {
    if (!isSignedIn) listener();
  };
  listeners.add(heard);
  return () => listeners.delete(heard);
}

const isFresh = (): boolean => held !== null && held.expiresAt - Date.now() >= tokenRefreshThresholdSeconds * 1000;

export const mayBeSignedIn = (): boolean => embedded !== null || held !== null || readKey(markKey) !== null;
export const isEmbedded = (): boolean => embedded !== null;

/** In embed mode the token came with the address; it is never refreshed and never stored. Null lets go of it. */
export function holdEmbedToken(token: string | null): void {
  embedded = token;
}

export function keepTokens(result: TokenResult): void {
  held = { token: result.authToken, expiresAt: Date.now() + result.expiresIn * 1000 };
  writeKey(markKey, 'true');
  channel?.postMessage({ kind: 'tokens', held } satisfies News);
}

export function forgetTokens(): void {
  const wasSignedIn = held !== null;
  held = null;
  removeKey(markKey);
  if (wasSignedIn) channel?.postMessage({ kind: 'signedOut' } satisfies News);
}

/** A token good for at least ten seconds, or null when nobody is signed in. @throws CallError when the server does not answer */
export async function accessToken(): Promise<string | null> {
  if (embedded !== null) return embedded;
  if (isFresh()) return held?.token ?? null;
  if (!mayBeSignedIn()) return null;
  underway ??= inTurn(refresh).finally(() => {
    underway = null;
  });
  return underway;
}

/** One tab at a time; where the browser has no locks (plain http on another machine) each tab goes alone. */
const inTurn = (act: () => Promise<string | null>): Promise<string | null> =>
  typeof navigator !== 'undefined' && navigator.locks ? navigator.locks.request(lockName, act) : act();

async function refresh(): Promise<string | null> {
  // Another tab may have done it while this one waited for its turn.
  if (isFresh()) return held?.token ?? null;
  let response: Response;
  try {
    response = await fetch(`/api${authRoutes.refresh.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      credentials: 'same-origin',
      body: '{}',
    });
  } catch (cause) {
    throw new CallError({ kind: 'network' }, { cause });
  }
  if (response.status === 429 || response.status >= 500) {
    throw new CallError({ kind: 'server', status: response.status, requestId: response.headers.get('x-request-id') });
  }
  const body = response.ok ? ((await response.json()) as { success: boolean; result: TokenResult | null }) : null;
  if (!body?.success || !body.result) {
    forgetTokens();
    return null;
  }
  keepTokens(body.result);
  return body.result.authToken;
}
