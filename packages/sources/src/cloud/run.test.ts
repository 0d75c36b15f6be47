import { cloudProviders, SourceFaultError } from '@pdf2press/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceTools } from '../source.ts';
import { type CloudAnswer, type CloudServer, startCloudServer } from '../testing/cloud-server.ts';
import { type CloudGrant, type CloudSettings, cloudSettingsSchema } from './contract.ts';
import { run } from './run.ts';

const pdf = (text: string) => `%PDF-1.4 ${text}`;
const isDownload = (url: URL) => url.searchParams.get('alt') === 'media' || url.pathname.startsWith('/download/');
const isListing = (url: URL) => url.searchParams.has('q') || url.pathname.endsWith('/children');
const isChanges = (url: URL) => url.pathname.endsWith('/changes') || url.pathname.endsWith('/delta');

interface Seen {
  name: string;
  id: string;
  text: string;
  sourceName: string;
  variables: Record<string, string> | undefined;
  error: unknown;
}

describe.each(cloudProviders)('%s', (provider) => {
  let server: CloudServer;
  let grant: CloudGrant;
  let cursor: unknown;
  let memory: Map<string, unknown>;
  let seconds: number;
  let driveId: string;
  let folderId: string;
  let folder: string;
  /** What people asked for once more. */
  let asked: Map<string, { name: string; sourceName: string }>;

  beforeEach(async () => {
    server = await startCloudServer(provider);
    grant = { refreshToken: server.grant(), mayWrite: true };
    cursor = undefined;
    memory = new Map();
    asked = new Map();
    seconds = 1000;
    driveId = '';
    folder = server.world.addFolder('Orders');
    folderId = folder;
  });
  afterEach(() => server.stop());

  const settingsOf = (change: Partial<CloudSettings>, mapping: object): CloudSettings =>
    cloudSettingsSchema.parse({
      provider,
      folders: [{ driveId, folderId, path: 'Orders', workflowId: 'wfl_1', ...mapping }],
      ...change,
    });
  const toolsOf = (): SourceTools => ({
    root: '',
    memory,
    now: () => seconds * 1000,
    takesSidecars: false,
    variables: [],
    addressOf: () => Promise.reject(new Error('no mail server is asked')),
    fetch: (address, { body = null, ...request }) => fetch(address, { ...request, body }),
    cloudApps: {
      [provider]: { clientId: server.clientId, clientSecret: server.clientSecret, endpoint: server.address },
    },
    asked: async (prefix) => new Map([...asked].filter(([id]) => id.startsWith(prefix))),
    renewSecret: async (secret) => {
      grant = secret as CloudGrant;
    },
  });

  interface How {
    mapping?: object;
    /** What becomes of a file: it is taken, waits, or the process is killed after its session is committed. */
    decide?: (name: string) => 'take' | 'refuse' | 'wait' | 'killed';
    isCursorKept?: boolean;
  }

  /** Polls as intake does: reads and settles each item, and moves the cursor unless one waits. */
  async function poll(change: Partial<CloudSettings> = {}, how: How = {}): Promise<Seen[]> {
    const { mapping = {}, decide = () => 'take', isCursorKept = false } = how;
    const { signal } = new AbortController();
    const settings = settingsOf(change, mapping);
    const items = run({
      settings: { connectionId: 'prf_1', driveId, folderId },
      connection: { settings, secret: grant },
      cursor: cursor as never,
      signal,
      tools: toolsOf(),
    });
    const seen: Seen[] = [];
    let isHeld = isCursorKept;
    for (;;) {
      const next = await items.next();
      if (next.done) {
        if (!isHeld) cursor = next.value;
        return seen;
      }
      const { name, externalId: id, sourceName, variables } = next.value;
      const entry: Seen = { name, id, sourceName, variables, text: '', error: undefined };
      seen.push(entry);
      const fate = decide(name);
      if (fate === 'wait') isHeld = true;
      if (fate === 'wait') continue;
      if (fate === 'refuse' || next.value.refusal) {
        entry.error = next.value.refusal?.code;
        await next.value.settle('rejected', 'no');
        continue;
      }
      try {
        for await (const piece of next.value.open()) entry.text += Buffer.from(piece).toString('latin1');
      } catch (error) {
        entry.error = error;
        isHeld = true;
        continue;
      }
      if (fate === 'killed') {
        memory = new Map();
        await items.return(undefined);
        return seen;
      }
      await next.value.settle('accepted');
    }
  }
  const names = (seen: readonly Seen[]) => seen.map(({ name }) => name).sort();
  /** Polls until a file that is there is old enough. */
  async function pollLater(change: Partial<CloudSettings> = {}, how: How = {}): Promise<Seen[]> {
    await poll(change, how);
    seconds += 20;
    return poll(change, how);
  }
  const code = (answer: Promise<unknown>) =>
    answer.then(
      () => 'no fault',
      (error: unknown) => (error instanceof SourceFaultError ? error.code : String(error)),
    );
  const fail = (isOne: (url: URL) => boolean, answer: CloudAnswer, times = 1) =>
    server.failNext(({ url }) => (isOne(url) ? answer : undefined), times);

  test('a file is taken when nothing about it has changed for long enough, and goes into a folder of its own', async () => {
    server.world.addFile('card.pdf', pdf('card'), folder);
    expect(await poll()).toEqual([]);
    seconds += 5;
    expect(await poll()).toEqual([]);
    seconds += 6;
    const [card] = await poll();
    expect(card).toMatchObject({ name: 'card.pdf', text: pdf('card'), sourceName: 'Orders', error: undefined });
    expect(server.world.namesIn(folder)).toEqual(['processed']);
    const [processed] = server.world.childrenOf(folder);
    expect(server.world.namesIn(processed?.id)).toEqual(['card.pdf']);
    seconds += 20;
    expect(await poll()).toEqual([]);
  });

  test('while nothing has changed, the folder is not listed', async () => {
    server.world.addFile('card.pdf', pdf('card'), folder);
    await pollLater({ after: 'leave' });
    server.world.addFile('elsewhere.pdf', pdf('no'));
    await poll({ after: 'leave' });
    server.asked.length = 0;
    await poll({ after: 'leave' });
    expect(server.asked.filter((path) => path.endsWith('/files') || path.endsWith('/children'))).toEqual([]);
    expect(server.asked).toHaveLength(1);
    server.world.addFile('late.pdf', pdf('late'), folder);
    expect(names(await pollLater({ after: 'leave' }))).toEqual(['late.pdf']);
  });

  test('what no change ever told of is found when a day is over, also by another process, and nothing twice', async () => {
    const stays = { after: 'leave' } as const;
    /** A day later by the clock of the wall, which the cursor has. */
    const later = (ms: number) => {
      const { listedAt, ...rest } = cursor as { listedAt: number };
      cursor = { ...rest, listedAt: listedAt - ms };
    };
    const day = 24 * 3_600_000;
    const addUntold = (name: string) => {
      server.world.addFile(name, pdf(name), folder);
      server.world.changes.pop();
    };
    server.world.addFile('card.pdf', pdf('card'), folder);
    expect(names(await pollLater(stays))).toEqual(['card.pdf']);
    addUntold('untold.pdf');
    later(day - 60_000);
    seconds += 25 * 3_600;
    expect(await pollLater(stays)).toEqual([]);
    later(60_000);
    expect(names(await pollLater(stays))).toEqual(['untold.pdf']);
    // A clock that was ahead and is right again.
    addUntold('ahead.pdf');
    later(-2 * day);
    seconds += 25 * 3_600;
    expect(names(await pollLater(stays))).toEqual(['ahead.pdf']);
    server.asked.length = 0;
    expect(await poll(stays)).toEqual([]);
    expect(server.asked).toHaveLength(1);
  });

  test('two processes that poll in turn know the folder as it is, whichever of them was told of a change', async () => {
    const how = { mapping: { hasSubfolders: true } };
    const stays = { after: 'leave' } as const;
    const [one, other] = [new Map<string, unknown>(), new Map<string, unknown>()];
    const pollAs = async (own: Map<string, unknown>) => {
      memory = own;
      return names(await pollLater(stays, how));
    };
    server.world.addFile('card.pdf', pdf('card'), folder);
    expect(await pollAs(one)).toEqual(['card.pdf']);
    expect(await pollAs(other)).toEqual(['card.pdf']);
    const deep = server.world.addFolder('New', folder);
    expect(await pollAs(other)).toEqual([]);
    server.world.addFile('deep.pdf', pdf('deep'), deep);
    expect(await pollAs(one)).toEqual(['deep.pdf']);
    // Both know it: while nothing changes neither lists it.
    await pollAs(other);
    for (const own of [one, other]) {
      server.asked.length = 0;
      memory = own;
      await poll(stays, how);
      expect(server.asked.filter((path) => path.endsWith('/files') || path.endsWith('/children'))).toEqual([]);
    }
  });

  test.each([
    ['leave', ['card.pdf']],
    ['delete', []],
  ] as const)('afterwards: %s', async (after, left) => {
    server.world.addFile('card.pdf', pdf('card'), folder);
    expect(names(await pollLater({ after }))).toEqual(['card.pdf']);
    expect(server.world.namesIn(folder)).toEqual(left);
    expect(await pollLater({ after })).toEqual([]);
  });

  test('subfolders, their names as variables, and which names are taken', async () => {
    const acme = server.world.addFolder('ACME', folder);
    const order = server.world.addFolder('4711', acme);
    server.world.addFile('deep.pdf', pdf('deep'), order);
    server.world.addFile('top.pdf', pdf('top'), folder);
    server.world.addFile('.hidden.pdf', pdf('x'), folder);
    server.world.addFile('notes.txt', 'x', folder);
    const change: Partial<CloudSettings> = { include: ['*.PDF'], after: 'leave' };
    expect(names(await pollLater(change))).toEqual(['top.pdf']);
    const mapping = { hasSubfolders: true, pathVariables: ['customer', 'order'] };
    const seen = await pollLater(change, { mapping });
    expect(seen).toMatchObject([
      { name: 'deep.pdf', sourceName: 'Orders/ACME/4711', variables: { customer: 'ACME', order: '4711' } },
    ]);
    // A folder that is moved in brings files of which nothing is told.
    const other = server.world.addFolder('Other');
    server.world.addFile('inside.pdf', pdf('inside'), other);
    await poll(change, { mapping });
    server.world.moveTo(other, folder);
    expect(names(await pollLater(change, { mapping }))).toEqual(['inside.pdf']);
  });

  test('long lists come in pages; a file that a list names twice is taken once', async () => {
    server.pageSize = 2;
    const wanted = ['1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf'];
    for (const name of wanted) server.world.addFile(name, pdf(name), folder);
    const { childrenOf } = server.world;
    server.world.childrenOf = (id) => childrenOf(id).flatMap((entry) => [entry, entry]);
    expect(names(await pollLater({ after: 'leave' }))).toEqual(wanted);
  });

  test('a page that leads back to itself ends the poll instead of never ending', async () => {
    server.world.addFile('card.pdf', pdf('card'), folder);
    const again =
      provider === 'GoogleDrive'
        ? { files: [], nextPageToken: 'again' }
        : { value: [], '@odata.nextLink': `${server.address}/v1.0/me/drive/items/${folder}/children?again=1` };
    fail(isListing, { status: 200, body: again }, 1000);
    expect(await code(poll())).toContain('repeats a page');
  });

  test('an empty file is given five minutes', async () => {
    const id = server.world.addFile('card.pdf', '', folder);
    expect(await pollLater()).toEqual([]);
    server.world.replace(id, pdf('card'));
    expect(await poll()).toEqual([]);
    seconds += 20;
    expect(await poll()).toMatchObject([{ name: 'card.pdf', text: pdf('card') }]);
    server.world.addFile('none.pdf', '', folder);
    await poll();
    seconds += 301;
    expect(await poll()).toMatchObject([{ name: 'none.pdf', text: '' }]);
  });

  test('a file that grows waits until it no longer does', async () => {
    const id = server.world.addFile('card.pdf', pdf('ca'), folder);
    await poll();
    seconds += 20;
    server.world.replace(id, pdf('card'));
    expect(await poll()).toEqual([]);
    seconds += 20;
    expect(await poll()).toMatchObject([{ text: pdf('card') }]);
  });

  test('a download that breaks off goes on where it was', async () => {
    const content = pdf('x'.repeat(200_000));
    server.world.addFile('big.pdf', content, folder);
    await poll();
    seconds += 20;
    let cut = 0;
    server.failNext(({ url, headers }) => {
      if (!isDownload(url)) return undefined;
      cut += 1;
      const from = Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0);
      const body = Buffer.from(content).subarray(from);
      const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
      return { status: 206, headers: range, body, cutAfter: 50_000 };
    }, 3);
    const [big] = await poll();
    expect(big?.error).toBeUndefined();
    expect(big?.text === content).toBe(true);
    expect(cut).toBe(3);
  });

  test('a file that is replaced while it is read is refused, and taken whole the next time', async () => {
    const id = server.world.addFile('card.pdf', pdf('x'.repeat(100_000)), folder);
    await poll();
    seconds += 20;
    server.failNext(({ url }) => {
      if (!isDownload(url)) return undefined;
      const body = server.world.entries.get(id)?.content;
      server.world.replace(id, pdf('y'.repeat(100_000)));
      return { status: 206, headers: { 'content-range': 'bytes 0-100008/100009' }, body, cutAfter: 50_000 };
    });
    const [first] = await poll();
    expect(first?.error).toEqual(new SourceFaultError('source.changed'));
    await poll();
    seconds += 20;
    const [again] = await poll();
    expect([again?.error, again?.text]).toEqual([undefined, pdf('y'.repeat(100_000))]);
    expect(again?.id).not.toBe(first?.id);
  });

  test('a cursor that the service no longer knows: the folder is listed, and nothing is new that was known', async () => {
    const first = server.world.addFile('1.pdf', pdf('1'), folder);
    const [taken] = await pollLater({ after: 'leave' });
    await poll({ after: 'leave' });
    server.forgetCursors();
    server.world.addFile('2.pdf', pdf('2'), folder);
    memory = new Map();
    const seen = await pollLater({ after: 'leave' });
    expect(names(seen)).toEqual(['1.pdf', '2.pdf']);
    expect(seen.find(({ name }) => name === '1.pdf')?.id).toBe(taken?.id);
    server.world.replace(first, pdf('another'));
    const [other] = await pollLater({ after: 'leave' });
    expect(other?.id).not.toBe(taken?.id);
  });

  test.each(['move', 'delete', 'leave'] as const)(
    'killed before the original is settled (%s): the next poll finds it under the same key',
    async (after) => {
      for (const name of ['1.pdf', '2.pdf', '3.pdf']) server.world.addFile(name, pdf(name), folder);
      await poll({ after });
      seconds += 20;
      const [one, two] = await poll({ after }, { decide: (name) => (name === '2.pdf' ? 'killed' : 'take') });
      const rest = await pollLater({ after });
      expect(names(rest)).toEqual(after === 'leave' ? ['1.pdf', '2.pdf', '3.pdf'] : ['2.pdf', '3.pdf']);
      expect(rest.find(({ name }) => name === '2.pdf')?.id).toBe(two?.id);
      if (after === 'leave') expect(rest.find(({ name }) => name === '1.pdf')?.id).toBe(one?.id);
    },
  );

  test('killed before the cursor is stored, and while files wait: nothing is skipped', async () => {
    server.world.addFile('1.pdf', pdf('1'), folder);
    server.world.addFile('2.pdf', pdf('2'), folder);
    await poll();
    seconds += 20;
    expect(names(await poll({}, { decide: (name) => (name === '1.pdf' ? 'wait' : 'take') }))).toEqual([
      '1.pdf',
      '2.pdf',
    ]);
    server.world.addFile('3.pdf', pdf('3'), folder);
    memory = new Map();
    await poll({}, { isCursorKept: true });
    seconds += 20;
    expect(names(await poll({}, { isCursorKept: true }))).toEqual(['1.pdf', '3.pdf']);
    expect(await pollLater()).toEqual([]);
  });

  test.each(['move', 'delete', 'leave'] as const)(
    'a refused file that is asked for is taken from where it lies, with its variables, however quiet the folder is (%s)',
    async (after) => {
      const mapping = { hasSubfolders: true, pathVariables: ['Customer'] };
      const baker = server.world.addFolder('Baker', folder);
      server.world.addFile('card.pdf', pdf('card'), baker);
      const [refused] = await pollLater({ after }, { mapping, decide: () => 'refuse' });
      expect(await poll({ after }, { mapping })).toEqual([]);
      const rejected = () => server.world.childrenOf(folder).find(({ name }) => name === 'rejected')?.id;
      const lies = after === 'leave' ? baker : (rejected() ?? '');
      const refusedThere = after === 'leave' ? ['card.pdf'] : ['card.pdf', 'card.pdf.txt'];
      expect(server.world.namesIn(lies)).toEqual(refusedThere);
      const { id = '', sourceName = '' } = refused ?? {};
      asked.set(id, { name: 'card.pdf', sourceName });
      memory = new Map();
      // Refused once more, it stays where it is.
      expect(await poll({ after }, { mapping, decide: () => 'refuse' })).toMatchObject([{ id, error: undefined }]);
      expect(server.world.namesIn(lies)).toEqual(refusedThere);
      const [again] = await poll({ after }, { mapping });
      expect(again).toMatchObject({
        id,
        text: pdf('card'),
        sourceName: 'Orders/Baker',
        variables: { Customer: 'Baker' },
      });
      expect(server.world.namesIn(lies)).toEqual(after === 'leave' ? ['card.pdf'] : []);
      asked.clear();
      expect(await poll({ after }, { mapping })).toEqual([]);
    },
  );

  test('a text beside a refused file says why; of two of one name each has its own, as far as the service tells them apart', async () => {
    const asideOf = () => server.world.childrenOf(server.world.childrenOf(folder)[0]?.id ?? '');
    const textOf = (name: string) =>
      asideOf()
        .filter((entry) => entry.name === name)
        .map(({ content }) => content.toString());
    server.world.addFile('card.pdf', pdf('one'), folder);
    await pollLater({}, { decide: () => 'refuse' });
    expect(textOf('card.pdf.txt')).toEqual(['no\n']);
    server.world.addFile('card.pdf', pdf('other'), folder);
    await pollLater({}, { decide: () => 'refuse' });
    const names = asideOf().map(({ name }) => name);
    // Drive lets two have one name, so one text is about both; OneDrive gives the second another one.
    expect(names.sort()).toEqual(
      provider === 'GoogleDrive'
        ? ['card.pdf', 'card.pdf', 'card.pdf.txt']
        : ['card (2).pdf', 'card (2).pdf.txt', 'card.pdf', 'card.pdf.txt'],
    );
    // The texts are no files to be taken.
    expect(await pollLater()).toEqual([]);
  });

  test('a refused file that is asked for and is gone, or another one by now, is told as gone', async () => {
    const file = server.world.addFile('card.pdf', pdf('card'), folder);
    const other = server.world.addFile('flyer.pdf', pdf('flyer'), folder);
    const refused = await pollLater({}, { decide: () => 'refuse' });
    for (const { id, name, sourceName } of refused) asked.set(id, { name, sourceName });
    server.world.drop(file);
    server.world.replace(other, pdf('another flyer'));
    expect((await poll()).map(({ name, error }) => [name, error]).sort()).toEqual([
      ['card.pdf', 'file.gone'],
      ['flyer.pdf', 'file.gone'],
    ]);
  });

  test('rules that let more in find what has not changed', async () => {
    server.world.addFile('a.tif', pdf('a'), folder);
    await pollLater({ include: ['*.pdf'], after: 'leave' });
    expect(names(await pollLater({ include: ['*'], after: 'leave' }))).toEqual(['a.tif']);
  });

  test('consent that was withdrawn needs a person; an access token that ended does not', async () => {
    server.world.addFile('card.pdf', pdf('card'), folder);
    await poll();
    server.endAccess();
    seconds += 20;
    expect(names(await poll())).toEqual(['card.pdf']);
    server.revoke();
    expect(await code(poll())).toBe('source.signInNeeded');
    grant = { refreshToken: server.grant(), mayWrite: false };
    expect(await code(poll())).toBe('source.signInNeeded');
    expect(await code(poll({ after: 'leave' }))).toBe('no fault');
  });

  test('an access token ends by the time that has passed, however wrong the clock is', async () => {
    await poll();
    const tokens = () => server.asked.filter((path) => path.endsWith('/token')).length;
    expect(tokens()).toBe(1);
    await poll();
    expect(tokens()).toBe(1);
    seconds += 3600;
    await poll();
    expect(tokens()).toBe(2);
  });

  test.each([
    [429, { 'retry-after': '17' }, 17],
    [503, { 'retry-after': '99999999' }, 3600],
    [429, { 'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 1],
    [429, {}, 30],
  ])('answered %i with %j: waits %i seconds', async (status, headers, wait) => {
    fail(isListing, { status, headers, body: { error: { code: 'tooManyRequests' } } });
    await expect(poll()).rejects.toEqual(new SourceFaultError('source.busy', { seconds: wait }));
    server.world.addFile('card.pdf', pdf('card'), folder);
    await poll();
    seconds += 20;
    fail(isDownload, { status, headers, body: '' });
    await expect(poll()).rejects.toEqual(new SourceFaultError('source.busy', { seconds: wait }));
    expect(names(await poll())).toEqual(['card.pdf']);
  });

  // developers.google.com/workspace/drive/api/guides/handle-errors: Google says so with 403, and tells them apart by the reason.
  test.each([
    ['rateLimitExceeded', {}, 30],
    ['userRateLimitExceeded', { 'retry-after': '17' }, 17],
    ['dailyLimitExceeded', { 'retry-after': '99999999' }, 3600],
  ])('refused with 403 because of %s and %j: waits %i seconds', async (reason, headers, wait) => {
    const body = { error: { code: 403, errors: [{ domain: 'usageLimits', reason, message: 'Too fast' }] } };
    const busy = new SourceFaultError('source.busy', { seconds: wait });
    fail(isListing, { status: 403, headers, body });
    await expect(poll()).rejects.toEqual(busy);
    server.world.addFile('card.pdf', pdf('card'), folder);
    await poll();
    seconds += 20;
    fail(isDownload, { status: 403, headers, body });
    await expect(poll()).rejects.toEqual(busy);
    expect(names(await poll())).toEqual(['card.pdf']);
  });

  test('a 403 for want of rights is no haste, whatever else it says', async () => {
    const body = { error: { code: 403, errors: [{ domain: 'global', reason: 'insufficientFilePermissions' }] } };
    fail(isListing, { status: 403, headers: { 'retry-after': '17' }, body });
    expect(await code(poll())).toBe('source.denied');
  });

  test.each([
    ['the service is down', 500, 'source.unreachable'],
    ['access is refused', 403, 'source.denied'],
  ])('%s', async (_, status, fault) => {
    fail(isListing, { status, body: { error: { code: 'x' } } });
    expect(await code(poll())).toBe(fault);
    await poll();
    fail(isChanges, { status, body: { error: { code: 'x' } } });
    expect(await code(poll())).toBe(fault);
  });

  test('a chosen folder that is gone', async () => {
    server.world.drop(folder);
    expect(await code(poll())).toBe('source.folderMissing');
  });

  test('a shared drive or library', async () => {
    driveId = server.world.addDrive('Prepress');
    folderId = provider === 'GoogleDrive' ? driveId : 'root';
    folder = server.world.rootOf(driveId);
    server.world.addFile('card.pdf', pdf('card'), folder);
    expect(names(await pollLater())).toEqual(['card.pdf']);
    expect(server.world.namesIn(folder)).toEqual(['processed']);
    server.world.addFile('card.pdf', pdf('card again'), folder);
    expect(await pollLater()).toMatchObject([{ text: pdf('card again') }]);
    expect(server.world.namesIn(folder)).toEqual(['processed']);
  });

  test('a page that is said to lie at another address is not asked for, so that nobody else is given the token', async () => {
    const elsewhere = await startCloudServer(provider);
    const link = `${elsewhere.address}/v1.0/me/drive/items/x/children`;
    fail(isListing, { status: 200, body: { files: [], value: [], '@odata.nextLink': link } });
    await code(poll());
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.stop();
  });
});

test('a refresh token that Microsoft replaces is kept', async () => {
  const server = await startCloudServer('OneDrive');
  const grant: CloudGrant = { refreshToken: server.grant(), mayWrite: true };
  const kept: unknown[] = [];
  const folderId = server.world.addFolder('Orders');
  const settings = cloudSettingsSchema.parse({
    provider: 'OneDrive',
    folders: [{ folderId, path: 'Orders', workflowId: 'wfl_1' }],
  });
  const items = run({
    settings: { connectionId: 'prf_1', driveId: '', folderId },
    connection: { settings, secret: grant },
    cursor: undefined,
    signal: new AbortController().signal,
    tools: {
      root: '',
      memory: new Map(),
      now: () => 0,
      takesSidecars: false,
      variables: [],
      addressOf: () => Promise.reject(new Error('no mail server is asked')),
      fetch: (address, { body = null, ...request }) => fetch(address, { ...request, body }),
      cloudApps: {
        OneDrive: { clientId: server.clientId, clientSecret: server.clientSecret, endpoint: server.address },
      },
      asked: async () => new Map(),
      renewSecret: async (secret) => void kept.push(secret),
    },
  });
  await items.next();
  await server.stop();
  expect(kept).toEqual([{ refreshToken: expect.any(String), mayWrite: true }]);
  expect((kept[0] as CloudGrant).refreshToken).not.toBe(grant.refreshToken);
});
