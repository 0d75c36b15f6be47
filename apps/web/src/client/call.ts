import type { Call, Envelope, RouteBody, RouteParams, RouteQuery, RouteResult, WireError } from '@pdf2press/contract';
import { pathOf } from './address.ts';
import { CallError } from './call-error.ts';
import { takeEarlyAnswer } from './early.ts';
import { accessToken, forgetTokens, isEmbedded } from './tokens.ts';

type Field<K extends string, T> = [T] extends [undefined] ? { [key in K]?: undefined } : { [key in K]: T };
type Loose<K extends string, T> = { [key in K]?: T | undefined };

/** Parameters, query and body of a call, typed by its route. */
export type CallInput<R extends Call> = Field<'params', RouteParams<R>> &
  Loose<'query', RouteQuery<R>> &
  Field<'body', RouteBody<R>> & { signal?: AbortSignal | undefined };

type Arguments<R extends Call> =
  Record<string, never> extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>];

const surroundings = {
  language: 'en',
  /** Called when the server rejects the token. */
  onTokenInvalid: (): void => undefined,
  /** The same in an embedded page, which has no sign-in. */
  onEmbedTokenInvalid: (): void => undefined,
  /** Called when a role demands a second factor that the visitor has not set up. */
  onSecondFactorMissing: (): void => undefined,
};
export const configureCalls = (change: Partial<typeof surroundings>): void => void Object.assign(surroundings, change);

export async function authorisation(route?: Pick<Call, 'access'>): Promise<Record<string, string>> {
  const token = route?.access.kind === 'public' ? null : await accessToken();
  return { 'accept-language': surroundings.language, ...(token ? { authorization: `Bearer ${token}` } : {}) };
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { credentials: 'same-origin', ...init });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new CallError({ kind: 'network' }, { cause });
  }
}

const isEnvelope = (value: unknown): value is Envelope<unknown> =>
  typeof value === 'object' && value !== null && 'success' in value;

async function envelopeOf(response: Response): Promise<Envelope<unknown> | null> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : null;
  } catch {
    // Not an answer of the API: the error page of a proxy, or an empty body.
    return null;
  }
}

/** Throws a CallError for an unsuccessful answer; a rejected token ends the signed-in state. */
async function failureOf(response: Response, route?: Pick<Call, 'access'>): Promise<CallError> {
  const envelope = await envelopeOf(response);
  return refusal(response, envelope?.errors ?? [], route);
}

function refusal(response: Response, errors: readonly WireError[], route?: Pick<Call, 'access'>): CallError {
  const isTokenInvalid = response.status === 401 && route?.access.kind !== 'public';
  if (isTokenInvalid && isEmbedded()) surroundings.onEmbedTokenInvalid();
  else if (isTokenInvalid) {
    forgetTokens({ isExpired: true });
    surroundings.onTokenInvalid();
  }
  if (errors.some(({ code }) => code === 'auth.secondFactorMissing')) surroundings.onSecondFactorMissing();
  return new CallError({
    kind: isTokenInvalid ? 'signedOut' : 'server',
    status: response.status,
    errors,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: Number(response.headers.get('retry-after')) || null,
  });
}

/**
 * Calls a route of the contract and answers its `result`.
 * @throws CallError
 */
export async function call<const R extends Call>(route: R, ...[input]: Arguments<R>): Promise<RouteResult<R>> {
  const given = (input ?? {}) as {
    params?: Record<string, unknown>;
    query?: object;
    body?: unknown;
    signal?: AbortSignal;
  };
  const hasBody = given.body !== undefined;
  const address = pathOf(route, given.params, given.query);
  const early = route.method === 'GET' ? await takeEarlyAnswer(address) : null;
  const response =
    early ??
    (await send(address, {
      method: route.method,
      headers: {
        accept: 'application/json',
        // For FormData the browser sets the content type with its boundary.
        ...(hasBody && !(given.body instanceof FormData) ? { 'content-type': 'application/json; charset=utf-8' } : {}),
        ...(await authorisation(route)),
      },
      ...(hasBody ? { body: given.body instanceof FormData ? given.body : JSON.stringify(given.body) } : {}),
      ...(given.signal ? { signal: given.signal } : {}),
    }));
  const envelope = await envelopeOf(response);
  if (!response.ok || !envelope?.success) throw refusal(response, envelope?.errors ?? [], route);
  return envelope.result as RouteResult<R>;
}

/** Sends multipart fields to a route that takes them, and answers its `result`. @throws CallError */
export const sendForm = <const R extends Call>(
  route: R,
  form: FormData,
  params?: RouteParams<R>,
): Promise<RouteResult<R>> =>
  (call as (route: R, input: unknown) => Promise<RouteResult<R>>)(route, { body: form, params });

/** Fetches bytes with the caller's token. JSON without a file name is an error answer. @throws CallError */
export async function fetchBytes(address: string, signal?: AbortSignal): Promise<Response> {
  const response = await send(address, { headers: await authorisation(), ...(signal ? { signal } : {}) });
  const { headers } = response;
  const isAnswer = headers.get('content-type')?.includes('json') === true && !headers.has('content-disposition');
  if (!response.ok || response.status === 202 || isAnswer) throw await failureOf(response);
  return response;
}

/** Fetches a file with the caller's token and hands it to the browser, under its own name unless another is given. @throws CallError */
export async function download(address: string, name?: string): Promise<void> {
  const response = await fetchBytes(address);
  saveBlob(await response.blob(), name ?? nameIn(response) ?? '');
}

/** The file name that an answer gives, by RFC 6266. */
function nameIn({ headers }: Response): string | undefined {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(headers.get('content-disposition') ?? '')?.[1];
  return coded && decodeURIComponent(coded);
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later: the browser still needs the URL to start saving.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
