import { type RouteResult, type routes, sessionSorts } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type List = RouteResult<typeof routes.sessions.list>;
type Item = List['items'][number];

let lab: Lab;
let ana: SignedIn;
const count = 1200;

const list = async (query: string) => (await lab.call<List>('GET', `/sessions?${query}`, { as: ana })).result;
const numberOf = ({ id }: Pick<Item, 'id'>) => Number(id.slice('ses_sorted'.length));

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  const make = async (path: string, name: string) =>
    (await lab.call<{ id: string }>('POST', path, { as: ana, body: { name } })).result.id;
  const workflows: string[] = [];
  for (const name of ['Cards', 'Books', 'Flyers']) workflows.push(await make('/workflows', name));
  const organizations: string[] = [];
  for (const name of ['North', 'East']) organizations.push(await make('/organizations', name));
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.workflowVersion.create({
      data: {
        id: 'wfv_sorted',
        workflowId: workflows[0] ?? '',
        no: 1,
        definition: { steps: [], edges: [] },
        profiles: {},
        hash: '',
      },
    }),
  );
  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`
      insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, source, source_name, file_name,
                            status, organization_id, error_count, created_at)
      select 'ses_sorted' || n, ${subscriberId}, 'sorted' || n, (${workflows}::text[])[1 + n % 3], 'wfv_sorted',
             (array['ManualInjected', 'ExternalApi'])[1 + n % 2]::session_source, 'Source ' || n % 5, 'file ' || n % 7 || '.pdf',
             (array['Completed', 'Failed', 'CanceledByUser', 'Completed'])[1 + n % 4]::session_status,
             (${organizations}::text[])[n % 4], n % 3, now() - n * interval '1 minute'
        from generate_series(1, ${count}::int) n`,
  );
}, 120_000);
afterAll(() => lab.stop());

/** What the column shows of a session; null stands last from A to Z. */
const shown: Record<(typeof sessionSorts)[number], (item: Item) => unknown> = {
  createdAt: (item) => item.createdAt,
  fileName: (item) => item.fileName,
  status: (item) => item.status,
  findings: (item) => numberOf(item) % 3,
  workflow: (item) => item.workflow.name,
  organization: (item) => item.organization?.name ?? null,
  sourceType: (item) => item.sourceType,
  source: (item) => item.source,
};

test.each(sessionSorts.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
  'sorted by %s %s the pages hold every session once, those of one value together',
  async (sort, direction) => {
    const items: Item[] = [];
    // Pages begin and end inside of values and at their borders.
    for (let page = 1; items.length < count; page += 1) {
      const answer = await list(`sort=${sort}&direction=${direction}&pageSize=100&page=${page}`);
      expect(answer.total).toBe(count);
      if (answer.items.length === 0) break;
      items.push(...answer.items);
    }
    expect(new Set(items.map(({ id }) => id)).size).toBe(count);
    const values = items.map(shown[sort]).filter((value, at, all) => at === 0 || value !== all[at - 1]);
    expect(values.length).toBe(new Set(values).size);
    const back = await list(`sort=${sort}&direction=${direction === 'asc' ? 'desc' : 'asc'}&pageSize=1`);
    expect(shown[sort](back.items[0] as Item)).toEqual(values.at(-1));
  },
);

test('names are sorted as names, sessions of none last from A to Z, and the newest of one value stand first', async () => {
  const first = async (query: string) => (await list(`${query}&pageSize=1`)).items[0] as Item;
  expect((await first('sort=workflow&direction=asc')).workflow.name).toBe('Books');
  expect((await first('sort=organization&direction=asc')).organization?.name).toBe('East');
  expect((await first('sort=organization&direction=desc')).organization).toBeNull();
  const page = (await list('sort=workflow&direction=desc&pageSize=50&page=2')).items.map(numberOf);
  expect(page).toEqual([...page].sort((one, other) => one - other));
});

test('a search tells how many it finds, whether they are few or many', async () => {
  const many = await list('search=file&pageSize=10&status=Failed');
  expect([many.total, many.statusCounts.Failed, many.statusCounts.Completed]).toEqual([300, 300, 600]);
  expect(many.items.map(numberOf)).toEqual(Array.from({ length: 10 }, (_, at) => 1 + 4 * at));
  const few = await list('search=FILE+3&sort=workflow&direction=asc&pageSize=100&page=2');
  const wanted = Array.from({ length: count }, (_, at) => at + 1).filter((n) => n % 7 === 3);
  expect(few.total).toBe(wanted.length);
  expect(few.items).toHaveLength(wanted.length - 100);
  expect(few.items.every((item) => wanted.includes(numberOf(item)))).toBe(true);
});

test.each([
  ['a part of the file name, in any case', 'FILE 3', (n: number) => n % 7 === 3],
  ['a part of the source', 'ource 4', (n: number) => n % 5 === 4],
  ['the beginning of the id', 'ses_sorted12', (n: number) => String(n).startsWith('12')],
  ['the name of an organization', 'north', (n: number) => n % 4 === 1],
  ['what nearly all have, more than are named', 'file', () => true],
  ['fewer letters than the index knows', 'e 6', (n: number) => n % 7 === 6],
  ['signs that stand for others in a pattern', '%', () => false],
  ['a sign that stands for any letter in a pattern', 'file_3', () => false],
  ['a part of the id that is not its beginning', 'sorted12', () => false],
])('a search finds %s', async (_, search, isFound) => {
  const wanted = Array.from({ length: count }, (__, at) => at + 1).filter(isFound);
  const answer = await list(`search=${encodeURIComponent(search)}&pageSize=100`);
  expect(answer.total).toBe(wanted.length);
  for (const item of answer.items) expect(isFound(numberOf(item))).toBe(true);
  expect(answer.items).toHaveLength(Math.min(100, wanted.length));
});
