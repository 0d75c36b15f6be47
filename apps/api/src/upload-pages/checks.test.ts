import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  doorCheckSeconds,
  type FileCheck,
  type UploadPage,
  type UploadReceipt,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { publishWorkflow, type RunningWorker, startWorker } from '@pdf2press/engine';
import { newId, toJson } from '@pdf2press/prisma';
import { runStep } from '@pdf2press/steps/runners';
import { runTask } from '@pdf2press/tasks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Answer, type Lab, type SignedIn, startLab } from '../testing/lab.ts';
import { sweepUploads } from '../uploads/upload-files.ts';

/** Files are checked at the door of an upload page: real preflights of real files, in real limited children. */
let lab: Lab;
let worker: RunningWorker | undefined;
let ana: SignedIn;
const workflows = { show: '', demand: '', off: '', fixed: '', divided: '' };

async function startSteps(): Promise<RunningWorker> {
  return startWorker(lab.deps.engine, {
    databaseUrl: lab.deps.env.databaseUrl,
    instance: 'door',
    doorbell: { kind: 'none' },
    slots: 2,
    execute: (context) =>
      runStep(context, {
        progress: () => undefined,
        runTask: async (task, params, { folder = '.' } = {}) => {
          const workDir = path.join(context.workDir, folder);
          await mkdir(workDir, { recursive: true });
          return runTask(task, params, { workDir, signal: context.signal });
        },
      }),
    workFolder: `${lab.deps.env.dataDir}/work`,
    engineVersion: '1',
  });
}

const settings = {
  checks: [{ key: 'PageCount', enabled: true, settings: { min: 2, compareTo: 'pages' } }],
};

async function publish(inject: object, between: object[] = []): Promise<string> {
  const id = newId('workflow');
  const profile = await lab.call<{ id: string }>('POST', '/profiles/preflight', {
    as: ana,
    body: { name: newId('profile'), settings },
  });
  const steps = [
    { id: 'inject', kind: 'Inject', settings: inject },
    ...between,
    { id: 'preflight', kind: 'Preflight', settings: { profileId: profile.result.id } },
    { id: 'complete', kind: 'Complete' },
  ] as { id: string; kind: string }[];
  const draft = workflowDefinitionSchema.parse({
    steps,
    edges: steps.slice(1).map(({ id: to }, at) => {
      const { id: from = '', kind } = steps[at] ?? {};
      return { id: to, from, outcome: kind === 'Condition' ? 'true' : 'done', to };
    }),
    variables: [
      { name: 'pages', type: 'Number', isPublic: true },
      { name: 'copies', type: 'Number', isPublic: true },
    ],
  });
  await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId, userId: ana.id }, async (tx) => {
    await tx.workflow.create({ data: { id, name: id, draft: toJson(draft), createdById: ana.id } });
    expect((await publishWorkflow(tx, id, ana.id)).issues).toEqual([]);
  });
  return id;
}

beforeAll(async () => {
  lab = await startLab();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
  const fix = await lab.call<{ id: string }>('POST', '/profiles/fix', { as: ana, body: { name: 'Fix', settings: {} } });
  workflows.show = await publish({ fileTypes: ['PDF', 'ZIP'] });
  workflows.demand = await publish({ doorCheck: 'demand' });
  workflows.off = await publish({ doorCheck: 'off' });
  workflows.fixed = await publish({}, [{ id: 'fix', kind: 'Fix', settings: { profileId: fix.result.id } }]);
  workflows.divided = await publish({ splitting: 'page' });
  await lab.call('POST', '/organizations', {
    as: ana,
    body: {
      name: 'Acme',
      uploadPage: { isPublic: true, slug: 'acme', workflowIds: Object.values(workflows) },
    },
  });
  worker = await startSteps();
}, 120_000);
afterAll(async () => {
  await worker?.stop();
  await lab.stop();
});

/** A PDF of empty pages; `extra` makes its bytes others. */
function pdfOf(pages: number, extra = ''): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ')}]>>`,
    ...Array.from({ length: pages }, () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Resources<<>>>>'),
  ];
  let file = `%PDF-1.6\n%${extra}\n`;
  const rows = objects.map((body, at) => {
    const row = `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return row;
  });
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

const tus = { 'tus-resumable': '1.0.0' };
async function begin(): Promise<string> {
  return (await lab.call<{ visit: string }>('POST', '/upload-pages/acme/visits', { body: {} })).result.visit;
}
async function put(visit: string, bytes: Buffer, name = 'card.pdf'): Promise<string> {
  const begun = await lab.call('POST', `/upload-visits/${visit}/files`, {
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  const url = String(begun.headers.location).replace('/api', '');
  const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  expect((await lab.call('PATCH', url, { body: bytes, headers })).statusCode).toBe(204);
  return url.split('/').at(-1) ?? '';
}
const ask = (visit: string, workflowId: string, file: string, variables: object = {}, language = 'en') =>
  lab.call<FileCheck[]>('POST', `/upload-visits/${visit}/checks`, {
    body: { workflowId, files: [file], variables },
    headers: { 'accept-language': language },
  });
/** The verdict, once there is one. */
const verdictOf = (visit: string, workflowId: string, file: string, variables: object = {}, language = 'en') =>
  vi.waitFor(
    async () => {
      const [check] = (await ask(visit, workflowId, file, variables, language)).result;
      if (!check || check.state === 'running') throw new Error('it still runs');
      return check;
    },
    { timeout: 60_000, interval: 100 },
  );
const person = { name: 'Ana Lima', email: 'ana@lima.example' };
const send = (visit: string, workflowId: string, files: string[], more: object = {}): Promise<Answer<UploadReceipt>> =>
  lab.call('POST', `/upload-visits/${visit}/send`, { body: { workflowId, files, ...person, ...more } });
const refusals = ({ envelope }: Answer<unknown>) => envelope.errors.map(({ code, field }) => [code, field]);
const trialsOf = (upload: string) =>
  lab.deps.db.asHost((tx) =>
    tx.session.findMany({ where: { isTrial: true, sourceRef: { startsWith: upload }, deletedAt: null } }),
  );

test('a page tells how each of its workflows checks files', async () => {
  const { workflows: offered } = (await lab.call<UploadPage>('POST', '/upload-pages/acme', { body: {} })).result;
  const checks = new Map(offered.map(({ id, check }) => [id, check]));
  // A preflight behind a fix looks at another file, and pages that go on alone are not the file.
  expect(Object.entries(workflows).map(([name, id]) => [name, checks.get(id)])).toEqual([
    ['show', 'show'],
    ['demand', 'demand'],
    ['off', 'off'],
    ['fixed', 'off'],
    ['divided', 'off'],
  ]);
});

test('a file with errors is told in the customer’s words and language, and is sent once they are acknowledged', async () => {
  const visit = await begin();
  const file = await put(visit, pdfOf(1));
  const check = await verdictOf(visit, workflows.show, file, {}, 'de');
  expect(check).toMatchObject({ id: file, state: 'done', level: 'Error', fault: null, more: 0 });
  expect(check.findings[0]).toMatchObject({ severity: 'Fail', page: null });
  const italian = await verdictOf(visit, workflows.show, file, {}, 'it');
  expect(italian.findings[0]?.message).not.toBe(check.findings[0]?.message);
  expect(refusals(await send(visit, workflows.show, [file]))).toEqual([['upload.notAcknowledged', `files.${file}`]]);

  const { reference } = (await send(visit, workflows.show, [file], { acknowledged: [file] })).result;
  // In no list but as the one session that it became, which remembers what was seen.
  const { items } = (await lab.call<{ items: { id: string }[] }>('GET', `/sessions?search=${reference}`, { as: ana }))
    .result;
  expect(items).toHaveLength(1);
  const session = await lab.call<{ acknowledged: object }>('GET', `/sessions/${items[0]?.id}`, { as: ana });
  expect(session.result.acknowledged).toMatchObject({ errors: 1, warnings: 0 });
});

test('a good file is sent without a word, and its session remembers none', async () => {
  const visit = await begin();
  const file = await put(visit, pdfOf(2));
  expect(await verdictOf(visit, workflows.demand, file)).toMatchObject({ level: 'Success', findings: [] });
  const { reference } = (await send(visit, workflows.demand, [file])).result;
  const { items } = (await lab.call<{ items: { id: string }[] }>('GET', `/sessions?search=${reference}`, { as: ana }))
    .result;
  const session = await lab.call<{ acknowledged: object }>('GET', `/sessions/${items[0]?.id}`, { as: ana });
  expect(session.result.acknowledged).toBeNull();
});

test('where errors are not taken, the server refuses them, whatever is acknowledged', async () => {
  const visit = await begin();
  const bad = await put(visit, pdfOf(1));
  const good = await put(visit, pdfOf(2));
  const all = { acknowledged: [bad, good] };
  expect(refusals(await send(visit, workflows.demand, [bad, good], all))).toEqual([
    ['upload.notChecked', `files.${bad}`],
    ['upload.notChecked', `files.${good}`],
  ]);
  await verdictOf(visit, workflows.demand, bad);
  await verdictOf(visit, workflows.demand, good);
  expect(refusals(await send(visit, workflows.demand, [bad, good], all))).toEqual([
    ['upload.hasErrors', `files.${bad}`],
  ]);
  // The verdict of one workflow is none of another, and none of another file.
  expect(refusals(await send(visit, workflows.show, [bad]))).toEqual([]);
});

test('a replaced file is judged anew', async () => {
  const visit = await begin();
  const bad = await put(visit, pdfOf(1));
  await verdictOf(visit, workflows.demand, bad);
  await lab.call('DELETE', `/upload-visits/${visit}/files/${bad}`, { headers: tus });
  const replaced = await put(visit, pdfOf(2));
  expect(refusals(await send(visit, workflows.demand, [replaced]))).toEqual([
    ['upload.notChecked', `files.${replaced}`],
  ]);
  expect((await verdictOf(visit, workflows.demand, replaced)).level).toBe('Success');
  expect((await send(visit, workflows.demand, [replaced])).statusCode).toBe(200);
});

test('a verdict holds for the values that the profile asks for, and for any other', async () => {
  const visit = await begin();
  const file = await put(visit, pdfOf(2));
  expect((await verdictOf(visit, workflows.demand, file, { pages: 2, copies: 1 })).level).toBe('Success');
  await verdictOf(visit, workflows.demand, file, { pages: '2', copies: 500 });
  expect(await trialsOf(file)).toHaveLength(1);
  const asFour = { variables: { pages: 4 } };
  expect(refusals(await send(visit, workflows.demand, [file], asFour))).toEqual([
    ['upload.notChecked', `files.${file}`],
  ]);
  expect((await verdictOf(visit, workflows.demand, file, { pages: 4 })).level).toBe('Error');
  expect(refusals(await send(visit, workflows.demand, [file], asFour))).toEqual([
    ['upload.hasErrors', `files.${file}`],
  ]);
});

test('a file that is no PDF gets its sentence; a ZIP and a workflow without a check are not looked at', async () => {
  const visit = await begin();
  const file = await put(visit, Buffer.from('this is a letter'));
  expect((await verdictOf(visit, workflows.demand, file)).fault).toEqual({
    code: 'PDF_NOT_PDF',
    message: 'The file is not a PDF.',
  });
  expect(refusals(await send(visit, workflows.demand, [file]))).toEqual([['upload.hasErrors', `files.${file}`]]);
  const zip = await put(visit, Buffer.from('PK'), 'cards.zip');
  expect((await ask(visit, workflows.show, zip)).result).toMatchObject([{ state: 'none' }]);
  expect((await ask(visit, workflows.off, file)).result).toMatchObject([{ state: 'none' }]);
  expect((await send(visit, workflows.off, [file])).statusCode).toBe(200);
});

test('the picture of a page is for its visit alone', async () => {
  const [visit, other] = [await begin(), await begin()];
  const file = await put(visit, pdfOf(1, 'picture'));
  await verdictOf(visit, workflows.show, file);
  const picture = await lab.call('GET', `/upload-visits/${visit}/files/${file}/pages/1`);
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp']);
  for (const url of [`/upload-visits/${visit}/files/${file}/pages/2`, `/upload-visits/${other}/files/${file}/pages/1`])
    expect((await lab.call('GET', url)).statusCode).toBe(404);
  expect(refusals(await ask(other, workflows.show, file))).toEqual([['upload.notFound', undefined]]);
});

describe('without a worker', () => {
  beforeAll(async () => {
    await worker?.stop();
    worker = undefined;
  });

  test('a check that does not end in time keeps nobody from sending', async () => {
    const visit = await begin();
    const file = await put(visit, pdfOf(1, 'late'));
    expect((await ask(visit, workflows.demand, file)).result).toMatchObject([{ state: 'running' }]);
    expect(refusals(await send(visit, workflows.demand, [file]))).toEqual([['upload.notChecked', `files.${file}`]]);
    const [trial] = await trialsOf(file);
    await lab.deps.db.asHost(
      (tx) => tx.$executeRaw`
        update sessions set created_at = created_at - make_interval(secs => ${doorCheckSeconds}::int) where id = ${trial?.id}`,
    );
    expect((await ask(visit, workflows.demand, file)).result).toMatchObject([{ state: 'late' }]);
    expect((await send(visit, workflows.demand, [file])).statusCode).toBe(200);
  });

  test('its step goes before those of other sessions, and before trials of drafts', async () => {
    const visit = await begin();
    const file = await put(visit, pdfOf(1, 'first'));
    await ask(visit, workflows.show, file);
    const [trial] = await trialsOf(file);
    const [step] = await lab.deps.db.asHost((tx) =>
      tx.stepRun.findMany({ where: { sessionId: trial?.id ?? '' }, select: { priority: true } }),
    );
    expect(step?.priority).toBe(1);
  });

  test('what is not sent is gone a day after it came, with all that checked it', async () => {
    const visit = await begin();
    const file = await put(visit, pdfOf(1, 'unsent'));
    await ask(visit, workflows.show, file);
    await sweepUploads(lab.deps, lab.deps.uploads);
    const [trial] = await trialsOf(file);
    expect(trial).toBeDefined();
    await lab.deps.db.asHost(
      (tx) =>
        tx.$executeRaw`update upload_visits set expires_at = now() where id = (select principal->>'id' from uploads where id = ${file})`,
    );
    await sweepUploads(lab.deps, lab.deps.uploads);
    expect(await trialsOf(file)).toEqual([]);
  });
});
