import { routes } from '@pdf2press/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pathOf, queryText } from './address.ts';
import { call, configureCalls, fetchBytes } from './call.ts';
import { CallError, failureText } from './call-error.ts';
import { embedOrigins, forgetTokens, holdEmbedToken, keepTokens } from './tokens.ts';

const words: Record<string, string> = {
  'error.network': "Network Error: Can't get response from server.",
  'error.unknown': 'Unknown Error: Server returns error without message.',
};
const t = (key: string) => words[key] ?? key;
const asked: { url: string; init: RequestInit }[] = [];
let answers: (() => Response | Promise<Response>)[] = [];
const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' },
    });
const tokens = (expiresIn: number) => keepTokens({ authToken: `token-${expiresIn}`, refreshToken: '', expiresIn });

beforeEach(() => {
  asked.length = 0;
  answers = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    const answer = answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer();
  });
  tokens(600);
});
afterEach(() => {
  vi.unstubAllGlobals();
  forgetTokens();
});

const failure = async (doing: Promise<unknown>): Promise<CallError> => {
  const error = await doing.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error(`no CallError: ${String(error)}`);
  return error;
};

test('a call sends parameters, bracketed arrays, dotted keys and the bearer token', async () => {
  answers = [json({ success: true, result: { items: [] }, errors: [] })];
  await call(routes.sessions.list, { query: { status: ['Failed', 'OnHold'], search: '' } });
  expect(decodeURIComponent(asked[0]?.url ?? '')).toBe('/api/sessions?status[]=Failed&status[]=OnHold');
  expect(asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer token-600', accept: 'application/json' });
  expect(pathOf(routes.sessions.get, { id: 'a/b' })).toBe('/api/sessions/a%2Fb');
  expect(decodeURIComponent(queryText({ a: { b: 1 }, c: undefined, d: [] }))).toBe('?a.b=1');
});

test('the messages of the envelope’s errors are joined', async () => {
  answers = [
    json(
      {
        success: false,
        result: null,
        errors: [
          { code: 'a', message: 'First.' },
          { code: 'b', message: 'Second.' },
        ],
      },
      409,
    ),
  ];
  const error = await failure(call(routes.workflows.list));
  expect(failureText(error, t)).toBe('First. Second.');
  expect([error.status, error.requestId, error.has('b')]).toEqual([409, 'req_1', true]);
});

test('an envelope without success is a failure even with status 200', async () => {
  answers = [json({ success: false, result: null, errors: [{ code: 'a', message: 'No.' }] })];
  expect(failureText(await failure(call(routes.workflows.list)), t)).toBe('No.');
});

test('a missing answer and an answer without a message have sentences of their own', async () => {
  expect(failureText(await failure(call(routes.workflows.list)), t)).toBe(
    "Network Error: Can't get response from server.",
  );
  answers = [() => new Response('<html>Bad gateway</html>', { status: 502 })];
  expect(failureText(await failure(call(routes.workflows.list)), t)).toBe(
    'Unknown Error: Server returns error without message.',
  );
});

test('401 ends the signed-in state once; a refused sign-in does not', async () => {
  const lost = vi.fn();
  configureCalls({ onTokenInvalid: lost });
  const refused = json(
    {
      success: false,
      result: null,
      errors: [{ code: 'auth.invalidCredentials', message: 'Your email or password is incorrect.' }],
    },
    401,
  );
  answers = [refused];
  const error = await failure(call(routes.auth.login, { body: { email: 'a@b.c', password: 'x' } }));
  expect([failureText(error, t), error.kind, lost.mock.calls.length]).toEqual([
    'Your email or password is incorrect.',
    'server',
    0,
  ]);
  answers = [
    json(
      {
        success: false,
        result: null,
        errors: [{ code: 'auth.tokenInvalid', message: 'Token not valid, please login.' }],
      },
      401,
    ),
  ];
  expect((await failure(call(routes.workflows.list))).kind).toBe('signedOut');
  expect(lost).toHaveBeenCalledTimes(1);
});

test('JSON instead of bytes is an error answer', async () => {
  answers = [
    json(
      { success: false, result: null, errors: [{ code: 'session.deleted', message: 'This session was deleted.' }] },
      410,
    ),
  ];
  expect(failureText(await failure(fetchBytes('/api/sessions/1/files/2')), t)).toBe('This session was deleted.');
});

test('JSON with a file name is downloaded as a file', async () => {
  tokens(600);
  answers = [
    () =>
      new Response('{"pages":2}', {
        headers: { 'content-type': 'application/json', 'content-disposition': 'attachment; filename="plan.json"' },
      }),
  ];
  expect(await (await fetchBytes('/api/sessions/1/files/2')).text()).toBe('{"pages":2}');
});

test('a token with less than ten seconds left is exchanged before the call, and only once for many calls', async () => {
  tokens(9);
  const page = json({ success: true, result: { items: [] }, errors: [] });
  answers = [
    json({ success: true, result: { authToken: 'fresh', refreshToken: '', expiresIn: 600 }, errors: [] }),
    page,
    page,
  ];
  await Promise.all([call(routes.workflows.list), call(routes.roles.list)]);
  expect(asked.map(({ url }) => url)).toEqual(['/api/TokenAuth/refresh', '/api/workflows', '/api/roles']);
  expect(asked[1]?.init.headers).toMatchObject({ authorization: 'Bearer fresh' });
});

test('the answer to an early call is taken once; one that failed or was refused is asked for anew', async () => {
  const page = json({ success: true, result: [], errors: [] });
  const fresh = (token: string, status = 200) =>
    json({ success: true, result: { authToken: token, refreshToken: '', expiresIn: 9 }, errors: [] }, status);
  vi.stubGlobal('window', { early: { tokens: Promise.resolve(fresh('early')()), answers: {} } });
  tokens(0);
  answers = [page, fresh('second'), page];
  await call(routes.roles.list);
  await call(routes.roles.list);
  expect(asked.map(({ url }) => url)).toEqual(['/api/roles', '/api/TokenAuth/refresh', '/api/roles']);
  expect(asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer early' });
  for (const early of [Promise.resolve(fresh('busy', 503)()), Promise.reject(new TypeError('Failed to fetch'))]) {
    vi.stubGlobal('window', { early: { tokens: early, answers: {} } });
    tokens(0);
    asked.length = 0;
    answers = [fresh('third'), page];
    await call(routes.roles.list);
    expect(asked[1]?.init.headers).toMatchObject({ authorization: 'Bearer third' });
  }
});

test('what was asked early is taken once, by whoever it was asked for', async () => {
  const answer = (result: string[], status = 200) =>
    Promise.resolve(json({ success: true, result, errors: [] }, status)());
  const roles = pathOf(routes.roles.list);
  const asEarly = (early: Promise<Response>) =>
    vi.stubGlobal('window', { early: { tokens: null, answers: { [roles]: early } } });
  asEarly(answer(['early']));
  answers = [json({ success: true, result: ['late'], errors: [] })];
  expect(await call(routes.roles.list)).toEqual(['early']);
  expect(await call(routes.roles.list)).toEqual(['late']);
  asEarly(answer(['busy'], 503));
  answers = [json({ success: true, result: ['anew'], errors: [] })];
  expect(await call(routes.roles.list)).toEqual(['anew']);
  asEarly(answer(['of another person']));
  forgetTokens();
  tokens(600);
  answers = [json({ success: true, result: ['own'], errors: [] })];
  expect(await call(routes.roles.list)).toEqual(['own']);
});

test('a token with ten seconds left is used without exchange', async () => {
  tokens(11);
  answers = [json({ success: true, result: [], errors: [] })];
  await call(routes.roles.list);
  expect(asked.map(({ url }) => url)).toEqual(['/api/roles']);
});

const embedded = (seconds: number) =>
  json({
    success: true,
    result: { authToken: 'page', expiresIn: seconds, origins: ['https://shop.example'] },
    errors: [],
  });
const empty = () => json({ success: true, result: [], errors: [] });

test('an embedded page exchanges its token, and again when less than ten seconds are left', async () => {
  holdEmbedToken('p2e_secret');
  answers = [embedded(900), empty(), empty()];
  await call(routes.roles.list);
  await call(routes.roles.list);
  expect(asked.map(({ url }) => url)).toEqual(['/api/TokenAuth/embed', '/api/roles', '/api/roles']);
  expect(asked[0]?.init.body).toBe('{"token":"p2e_secret"}');
  expect(asked[2]?.init.headers).toMatchObject({ authorization: 'Bearer page' });
  expect(embedOrigins()).toEqual(['https://shop.example']);

  holdEmbedToken('p2e_secret');
  asked.length = 0;
  answers = [embedded(9), empty(), embedded(900), empty()];
  await call(routes.roles.list);
  await call(routes.roles.list);
  expect(asked.map(({ url }) => url).filter((url) => url === '/api/TokenAuth/embed')).toHaveLength(2);
  holdEmbedToken(null);
});

test('in embed mode 401 shows an invalid token instead of the sign-in', async () => {
  const [signIn, embed] = [vi.fn(), vi.fn()];
  configureCalls({ onTokenInvalid: signIn, onEmbedTokenInvalid: embed });
  const refused = () =>
    json({ success: false, result: null, errors: [{ code: 'auth.tokenInvalid', message: 'No.' }] }, 401);
  holdEmbedToken('stale');
  answers = [refused(), refused()];
  await failure(call(routes.workflows.list));
  holdEmbedToken(null);
  expect([signIn.mock.calls.length, embed.mock.calls.length]).toEqual([0, 1]);
});
