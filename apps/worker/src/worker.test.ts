import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  askForPage,
  askForPageList,
  askForReport,
  findPageList,
  findPageTiles,
  findReport,
  findUndrawable,
  publishWorkflow,
  readEvents,
  receiveFile,
  restartSession,
} from '@pdf2press/engine';
import { buildPdf, buildZip, houseFont } from '@pdf2press/pdf/testing';
import { createDatabase, type Database, newId } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { openDiskStorage, type Storage } from '@pdf2press/storage';
import { runTask } from '@pdf2press/tasks';
import { demandIsolation } from '@pdf2press/tasks/isolation';
import { afterAll, beforeAll, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const subscriberId = newId('subscriber');
const workflowId = newId('workflow');
const ctx = { subscriberId };
const by = { kind: 'user', name: 'Tester' } as const;

let server: TestPostgres;
let folder: string;
let database: Database;
let storage: Storage;
let worker: ReturnType<typeof startMain>;

function startMain(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, output: () => text, ended };
}

beforeAll(async () => {
  server = await startTestPostgres();
  folder = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-worker-'));
  database = createDatabase(server.migratedUrl, { patience: 100_000 });
  storage = openDiskStorage({ folder });
  await database.asHost((tx) => tx.subscriber.create({ data: { id: subscriberId, name: 'Print house' } }));
  const draft = {
    steps: [
      { id: 'in', kind: 'Inject' },
      { id: 'out', kind: 'Complete' },
    ],
    edges: [{ id: 'e', from: 'in', outcome: 'done', to: 'out' }],
  };
  const published = await database.withSubscriber(ctx, async (tx) => {
    await tx.workflow.create({ data: { id: workflowId, name: 'Straight through', draft } });
    return publishWorkflow(tx, workflowId);
  });
  expect(published).toMatchObject({ issues: [], version: { no: 1 } });
  worker = startMain({ DATABASE_URL: server.migratedUrl, DATA_DIR: folder, WORKER_SLOTS: '2' });
});
afterAll(async () => {
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  await database.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A minimal PDF with `pages` pages of 100 × 100 pt, each with one black square. */
function smallPdf(pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${3 + index * 2} 0 R`).join(' ');
  const objects = [`<< /Type /Catalog /Pages 2 0 R >>`, `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`];
  for (let page = 0; page < pages; page += 1) {
    const content = '0 g 20 20 60 60 re f';
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Resources << >> /Contents ${4 + page * 2} 0 R >>`,
    );
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) text += `${String(offset).padStart(10, '0')} 00000 n \n`;
  return Buffer.from(`${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`);
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Publishes a workflow of steps in a row; a step with settings gets a new profile of its kind. */
async function publishChain(
  steps: readonly { kind: string; settings?: object; profile?: { kind: string; settings: object } }[],
): Promise<string> {
  const id = newId('workflow');
  await database.withSubscriber(ctx, async (tx) => {
    const nodes: object[] = [];
    for (const [index, { kind, settings = {}, profile }] of steps.entries()) {
      const profileId = newId('profile');
      if (profile) {
        await tx.profile.create({ data: { id: profileId, kind: profile.kind, name: kind } });
        await tx.profileVersion.create({
          data: { id: newId('profileVersion'), profileId, no: 1, settings: profile.settings },
        });
      }
      nodes.push({ id: `n${index}`, kind, settings: profile ? { profileId } : settings });
    }
    const edges = steps
      .slice(1)
      .map((_, index) => ({ id: `e${index}`, from: `n${index}`, outcome: 'done', to: `n${index + 1}` }));
    await tx.workflow.create({ data: { id, name: 'Chain', draft: { steps: nodes, edges } } });
    expect((await publishWorkflow(tx, id)).issues).toEqual([]);
  });
  return id;
}

async function run(bytes: Uint8Array, to = workflowId, fileName = 'a.pdf') {
  const delivery = {
    context: ctx,
    workflowId: to,
    source: 'ManualInjected',
    ingest: { kind: 'upload' },
    createdBy: by,
  } as const;
  const { sessionId } = await receiveFile({ database, storage }, { ...delivery, fileName, bytes: once(bytes) });
  return ended(sessionId);
}

/** How many pages are listed for the viewer; 0 = nobody has listed them yet. */
async function pagesOf(fileId: string): Promise<number> {
  const list = await database.withSubscriber(ctx, (tx) => findPageList(tx, fileId));
  if (!list) return 0;
  const written = JSON.parse(await text(await storage.open({ subscriberId, sha256: list.sha256 })));
  return (written as { pages: object[] }).pages.length;
}

/** A session once its run has ended. */
async function ended(sessionId: string) {
  const read = () =>
    database.withSubscriber(ctx, (tx) =>
      tx.session.findUniqueOrThrow({ where: { id: sessionId }, include: { files: true } }),
    );
  await expect.poll(async () => (await read()).finishedAt, { message: worker.output() }).not.toBeNull();
  return read();
}

test('a PDF runs through the workflow; its pages are counted and rendered', async () => {
  const session = await run(smallPdf(3));
  expect(session).toMatchObject({ status: 'Completed', pageCount: 3 });
  const kinds = session.files.map((file) => file.kind);
  expect(kinds.filter((kind) => kind === 'OriginalFileThumbnails')).toHaveLength(3);
  const events = await readEvents(database, ctx, { after: 0, sessionId: session.id });
  expect(events.at(-1)).toMatchObject({ kind: 'Completed' });

  const original = session.files.find((file) => file.kind === 'OriginalFile');
  const request = { fileId: original?.id ?? '', page: 2 };
  expect(await askForPage({ database, storage }, ctx, request)).toEqual({ state: 'asked', code: null });
  const find = () => database.withSubscriber(ctx, (tx) => findPageTiles(tx, request.fileId, request.page));
  await expect.poll(find).toBeDefined();
  const tiles = await find();
  const level = tiles?.page.levels[0];
  const place = tiles?.tile(`rgb/${level?.dpi}/0_0.webp`);
  if (!place) throw new Error('no first tile');
  const parts: Buffer[] = [];
  for await (const part of await storage.open({ subscriberId, sha256: place.sha256 }, place))
    parts.push(part as Buffer);
  expect(Buffer.concat(parts).subarray(8, 12).toString()).toBe('WEBP');
});

test('a page that cannot be rendered is told as such; the list of all pages and the other pages are made all the same', async () => {
  // Even at one pixel to the inch the first page has more pixels than any may have.
  const huge = { mediaBox: [0, 0, 14_400, 14_400], content: '', extra: '/UserUnit 51' };
  const session = await run(
    buildPdf({ pages: [huge, { mediaBox: [0, 0, 100, 100], content: '0 g 20 20 60 60 re f' }] }),
  );
  const sessionId = session.id;
  const fileId = session.files.find(({ kind }) => kind === 'OriginalFile')?.id ?? '';
  // As of a file that no step has looked into.
  await database.withSubscriber(ctx, (tx) => tx.file.deleteMany({ where: { sessionId, kind: 'Others' } }));
  expect(await pagesOf(fileId)).toBe(0);
  const undrawable = async () => [
    ...(await database.withSubscriber(ctx, (tx) => findUndrawable(tx, { sessionId, fileId }))),
  ];
  expect(await undrawable()).toEqual([]);
  expect((await askForPageList({ database, storage }, ctx, fileId)).state).toBe('asked');
  await expect.poll(undrawable).toEqual([1]);
  expect(await pagesOf(fileId)).toBe(2);
  expect(await askForPageList({ database, storage }, ctx, fileId)).toEqual({ state: 'dead', code: 'PDF_LIMIT_PIXELS' });
  await askForPage({ database, storage }, ctx, { fileId, page: 2 });
  await expect.poll(() => database.withSubscriber(ctx, (tx) => findPageTiles(tx, fileId, 2))).toBeDefined();
  expect(await undrawable()).toEqual([1]);
});

test('a document merged of the files of a ZIP is merged again by a restart, and each run goes on with its own', async () => {
  const settings = { fileTypes: ['PDF', 'ZIP'], zips: 'document', mergeOrder: 'cover' };
  const preflight = { checks: [{ key: 'PageCount', settings: { exact: 7 } }] };
  const fix = { actions: [{ key: 'RotatePages', settings: { turn: 'Clockwise' }, when: { is: 'Always' } }] };
  const chain = await publishChain([
    { kind: 'Inject', settings },
    { kind: 'Preflight', profile: { kind: 'preflight', settings: preflight } },
    { kind: 'Fix', profile: { kind: 'fix', settings: fix } },
    { kind: 'Complete' },
  ]);
  const zip = buildZip([
    { name: '10.pdf', data: smallPdf(1) },
    { name: '2.pdf', data: smallPdf(2) },
    { name: '1.pdf', data: smallPdf(4) },
    { name: 'notes.doc', data: Buffer.from('text') },
  ]);
  const first = await run(zip, chain, 'book.zip');
  const facts = async (runNo: number) => {
    const session = await ended(first.id);
    const steps = await database.withSubscriber(ctx, (tx) =>
      tx.stepRun.findMany({ where: { sessionId: first.id, runNo }, include: { files: true } }),
    );
    const inject = steps.find((step) => step.kind === 'Inject');
    const madeBy = (one: (typeof steps)[number] | undefined) =>
      (one?.files ?? []).filter(({ kind }) => kind === 'ProductionFile');
    return {
      status: session.status,
      errorCount: session.errorCount,
      pageCount: session.pageCount,
      runNo: session.runNo,
      steps: steps.map(({ kind, status }) => [kind, status]).sort(),
      summary: (inject?.output as { summary?: object } | null)?.summary,
      // A fixed file tells when it was fixed; the merged one is the same to the byte.
      merged: madeBy(inject).map(({ sha256 }) => sha256),
      names: steps.flatMap(madeBy).map(({ name }) => name),
    };
  };
  const once = await facts(1);
  expect(once).toMatchObject({
    // Preflight found nothing; one of the files was left out.
    status: 'CompletedWithWarnings',
    errorCount: 0,
    pageCount: 7,
    runNo: 1,
    names: ['book.pdf', 'book.pdf'],
    summary: {
      merged: {
        files: [
          { name: '1.pdf', pages: 4 },
          { name: '2.pdf', pages: 2 },
          { name: '10.pdf', pages: 1 },
        ],
        skipped: [{ name: 'notes.doc' }],
      },
    },
  });
  await restartSession({ database, storage, log: () => undefined }, ctx, { sessionId: first.id, by });
  expect(await facts(2)).toEqual({ ...once, runNo: 2 });
  // What the earlier run made stays as it is.
  expect(await facts(1)).toEqual({ ...once, runNo: 2 });
  // The restart began with the ZIP, and nothing of a part became a session of its own.
  const others = await database.withSubscriber(ctx, (tx) => tx.session.count({ where: { parentSessionId: first.id } }));
  expect(others).toBe(0);
});

test('preflight, fix and impose each use the result of the step before', async () => {
  await database.withSubscriber(ctx, (tx) => tx.feature.create({ data: { featureKey: 'Imposition' } }));
  const preflight = { checks: [{ key: 'DocumentIntegrity' }, { key: 'PageCount', settings: { exact: 2 } }] };
  const fix = { actions: [{ key: 'RotatePages', settings: { turn: 'Clockwise' }, when: { is: 'Always' } }] };
  const impose = { type: 'StepNRepeat', rows: 2, columns: 2, sheet: 'A4' };
  const chain = await publishChain([
    { kind: 'Inject' },
    { kind: 'Preflight', profile: { kind: 'preflight', settings: preflight } },
    { kind: 'Fix', profile: { kind: 'fix', settings: fix } },
    { kind: 'Impose', profile: { kind: 'impose', settings: impose } },
    { kind: 'Complete' },
  ]);
  const session = await run(smallPdf(3), chain);
  expect(session).toMatchObject({ errorCode: null, status: 'CompletedWithWarnings', result: 'Error', errorCount: 1 });
  const findings = await database.withSubscriber(ctx, (tx) =>
    tx.finding.findMany({ where: { sessionId: session.id } }),
  );
  expect(findings.map(({ checkKey, code }) => [checkKey, code])).toContainEqual(['PageCount', 'PageCount.notExact']);
  const made = session.files.filter(({ kind }) => kind === 'ProductionFile').map(({ name }) => name);
  expect(made.sort()).toEqual(['a-imposed.pdf', 'a.pdf']);
  const roles = session.files.map(({ meta }) => (meta as { role?: string }).role);
  expect(roles).toEqual(
    expect.arrayContaining(['inspection', 'preflightReport', 'fixReport', 'plan', 'jdf', 'xjdf', 'dummy']),
  );
  const pictures = session.files.filter(({ kind }) => kind === 'ProductionFileThumbnails');
  const ids = new Set(session.files.filter(({ kind }) => kind === 'ProductionFile').map(({ id }) => id));
  expect(pictures.length).toBeGreaterThan(0);
  for (const { meta } of pictures) expect(ids).toContain((meta as { of: string }).of);

  // The viewer knows all pages of every version, not only those that are drawn; four copies of each page are a sheet.
  const idOf = (name: string) => session.files.find((file) => file.kind === 'ProductionFile' && file.name === name)?.id;
  expect([await pagesOf(idOf('a.pdf') ?? ''), await pagesOf(idOf('a-imposed.pdf') ?? '')]).toEqual([3, 3]);
  // A file whose list nobody wrote gets it when somebody looks.
  const fixed = idOf('a.pdf') ?? '';
  await database.withSubscriber(ctx, (tx) =>
    tx.file.deleteMany({ where: { name: 'pages.json', sessionId: session.id } }),
  );
  expect(await pagesOf(fixed)).toBe(0);
  await askForPageList({ database, storage }, ctx, fixed);
  await expect.poll(() => pagesOf(fixed)).toBe(3);

  // The report is made when somebody asks for it, in their language, and is then a file of the session.
  const stored = session.files.find(({ meta }) => (meta as { role?: string }).role === 'preflightReport');
  const original = session.files.find(({ kind }) => kind === 'OriginalFile');
  for (const format of ['Pdf', 'Annotated'] as const) {
    const request = {
      reportId: stored?.id ?? '',
      pdfId: original?.id ?? '',
      format,
      locale: 'fr',
      unit: 'Millimeters',
    } as const;
    const asked = () => askForReport({ database, storage }, ctx, { ...request, name: 'rapport.pdf' });
    expect(await asked()).toEqual({ state: 'asked', code: null });
    expect(await asked()).toEqual({ state: 'asked', code: null });
    const find = () => database.withSubscriber(ctx, (tx) => findReport(tx, request));
    await expect.poll(find).not.toBeNull();
    const made = await database.withSubscriber(ctx, (tx) => tx.file.findMany({ where: { name: 'rapport.pdf' } }));
    expect(made.at(-1)).toMatchObject({ sessionId: session.id, mediaType: 'application/pdf' });
  }
});

test('a fix that fails ends the session with its reason, and keeps its change log', async () => {
  const settings = {
    actions: [
      { key: 'TruncatePages', settings: { keep: 'RemoveRange', range: 'all' }, when: { is: 'Always' } },
      { key: 'RotatePages', when: { is: 'Always' } },
    ],
  };
  const chain = [{ kind: 'Inject' }, { kind: 'Fix', profile: { kind: 'fix', settings } }, { kind: 'Complete' }];
  const session = await run(smallPdf(1), await publishChain(chain));
  expect(session).toMatchObject({
    status: 'Failed',
    errorCode: 'FIX_FAILED',
    errorParams: { action: 'TruncatePages', reason: 'nothingLeft' },
  });
  expect(session.files.map(({ meta }) => (meta as { role?: string }).role)).toContain('fixReport');
  expect(session.files.map(({ kind }) => kind)).not.toContain('ProductionFile');
  const steps = await database.withSubscriber(ctx, (tx) => tx.stepRun.findMany({ where: { sessionId: session.id } }));
  expect(steps.map(({ kind, status, errorCode }) => [kind, status, errorCode])).toEqual([
    ['Inject', 'Succeeded', null],
    ['Fix', 'Failed', 'FIX_FAILED'],
  ]);
  const events = await readEvents(database, ctx, { after: 0, sessionId: session.id });
  expect(events.map(({ kind }) => kind).slice(-2)).toEqual(['StepFailed', 'Failed']);
});

test('a fix embeds fonts of the library in a file that only names them, and of it no others', async () => {
  const facts = { kind: 'TrueType', glyphCount: 681, embedding: 'Installable', isSubsettingForbidden: false };
  const shelve = async (family: string): Promise<string> => {
    const [id, postScriptName] = [newId('font'), family.replaceAll(' ', '')];
    const { sha256, size } = await storage.put({ subscriberId, bytes: once(houseFont({ family, postScriptName })) });
    const named = { postScriptName, family, style: 'Regular', fullName: family };
    await database.withSubscriber(ctx, async (tx) => {
      await tx.blob.create({ data: { sha256, size } });
      await tx.font.create({
        data: {
          ...{ id, sha256, size, ...named, fileName: 'house.ttf', createdBy: 'Tester' },
          facts: { ...named, ...facts, isBitmapOnly: false, mayEmbed: true },
        },
      });
    });
    return id;
  };
  const [wanted, other] = [await shelve('House Sans'), await shelve('Other Sans')];
  const settings = { actions: [{ key: 'EmbedFonts', when: { is: 'Always' } }] };
  const chain = [{ kind: 'Inject' }, { kind: 'Fix', profile: { kind: 'fix', settings } }, { kind: 'Complete' }];
  const font = '/Type/Font/Subtype/TrueType/BaseFont/HouseSans/FirstChar 97/LastChar 97/Widths[556]';
  const pdf = buildPdf({
    objects: { 50: `<<${font}/Encoding/WinAnsiEncoding>>` },
    pages: [
      { content: 'BT /F 20 Tf 20 100 Td (a) Tj ET', mediaBox: [0, 0, 200, 300], resources: '/Font<</F 50 0 R>>' },
    ],
  });
  const session = await run(Buffer.from(pdf), await publishChain(chain));
  expect(session).toMatchObject({ status: 'Completed', errorCode: null });
  const made = session.files.find(({ kind }) => kind === 'ProductionFile');
  const workDir = await mkdtemp(path.join(folder, 'look-'));
  const { fonts: embedded } = await storage.withLocalPath({ subscriberId, sha256: made?.sha256 ?? '' }, (at) =>
    runTask('inspect', { path: at }, { workDir }),
  );
  expect(embedded).toMatchObject([{ name: 'HouseSans', embedded: true, subset: true }]);
  const fonts = await database.withSubscriber(ctx, (tx) => tx.font.findMany());
  const lastUsed = new Map(fonts.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  expect(lastUsed.get(wanted)).toBeInstanceOf(Date);
  expect(lastUsed.get(other)).toBeNull();
});

test.each([
  ['no PDF at all', Buffer.from('Dear printer, please find attached'), 'PDF_NOT_PDF'],
  ['an empty file', Buffer.alloc(0), 'PDF_EMPTY'],
])('%s ends the session with a code, and the original stays', async (_, bytes, code) => {
  const session = await run(bytes);
  expect(session).toMatchObject({ status: 'Failed', errorCode: code });
  const [original] = session.files;
  expect(await storage.sizeOf({ subscriberId, sha256: original?.sha256 ?? '' })).toBe(bytes.length);
});

test('a wrong variable gives one line that names it, and no stack', async () => {
  const failed = startMain({ DATABASE_URL: server.migratedUrl, DATA_DIR: folder, WORKER_SLOTS: 'many' });
  expect(await failed.ended).toBe(1);
  expect(failed.output()).toBe('WORKER_SLOTS must be a whole number from 1 to 256, not "many".\n');
});

test('it reports that it is healthy, and what its children took', async () => {
  const file = path.join(folder, 'run', `worker-${worker.child.pid}.json`);
  const readHealth = async () => JSON.parse(await readFile(file, 'utf8'));
  type Child = { task: string; peakBytes: number; limitBytes: number };
  // Written every ten seconds, so that the last of the children above may be missing for that long.
  const known = ['fix', 'impose', 'inspect', 'preflight'];
  const readKnown = async () => ((await readHealth()).children as Child[]).filter(({ task }) => known.includes(task));
  const readLimits = async () => (await readKnown()).map(({ task, limitBytes }) => [task, limitBytes]).sort();
  await expect.poll(readLimits, { timeout: 25_000 }).toEqual(known.map((task) => [task, 1536 * 2 ** 20]));
  const health = await readHealth();
  expect(health).toMatchObject({ isDoorbellUp: true });
  expect(health.isolation).toEqual(demandIsolation('timer'));
  expect(worker.output()).toContain('pdf.isolation');
  // A child that starts Node takes more than 20 MB.
  for (const { task, peakBytes } of await readKnown()) expect([task, peakBytes > 20e6]).toEqual([task, true]);
});

test('it does not start where the system isolates children less than it was told to need', async () => {
  // Without the programs that isolate, as on a system that does not have them.
  const env = { PATH: path.join(folder, 'no-programs'), DATABASE_URL: server.migratedUrl, DATA_DIR: folder };
  const refused = startMain({ ...env, PDF_ISOLATION: 'limits' });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toMatch(
    /^PDF_ISOLATION is limits, but this system [^\n]+ no better than timer: [^\n]+\.\n$/,
  );
});
