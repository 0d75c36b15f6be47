import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { publicAccess } from '@pdf2press/contract';
import { status } from '@pdf2press/prisma/migrate';
import { demandIsolation } from '@pdf2press/tasks/isolation';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../deps.ts';

/** Workers write their state every ten seconds; older files are ignored. */
const staleMs = 40_000;

/** The state of the workers on this machine. Others may run elsewhere, so none here does not mean unready. */
export async function readWorkers(deps: ApiDeps): Promise<unknown[]> {
  const folder = path.join(deps.env.dataDir, 'run');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('worker-'));
  const words = await Promise.all(
    names.map(async (name): Promise<unknown[]> => {
      const file = path.join(folder, name);
      try {
        if (Date.now() - (await stat(file)).mtimeMs > staleMs) return [];
        return [JSON.parse(await readFile(file, 'utf8'))];
      } catch {
        return []; // the worker ended and removed its file
      }
    }),
  );
  return words.flat();
}

/** The state of the schema; asked until it is current, which it stays while this process runs. */
function createSchemaCheck(deps: ApiDeps): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    if (known === 'current') return known;
    known = (await status(deps.env.databaseUrl)).state;
    return known;
  };
}

/**
 * `/healthz/live`: this process answers. `/healthz/ready`: it can do its work. Redis is not checked: without it work goes
 * on, only slower.
 */
export function installHealth(app: FastifyInstance, deps: ApiDeps): void {
  const schemaState = createSchemaCheck(deps);
  // Of the children that this process starts; that of the workers' stands with each of them.
  const isolation = demandIsolation(deps.env.pdfIsolation);
  app.get('/healthz/live', { config: { access: publicAccess } }, async () => ({ status: 'live' }));
  app.get('/healthz/ready', { config: { access: publicAccess } }, async (_request, reply) => {
    const failing: string[] = [];
    const attempt = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        deps.log.warn({ err: error }, `${name} is not ready`);
        failing.push(name);
        return undefined;
      }
    };
    await attempt('postgres', () => deps.db.asHost((tx) => tx.$queryRaw`select 1`));
    const schema = failing.length > 0 ? undefined : await attempt('schema', schemaState);
    if (schema !== undefined && schema !== 'current') failing.push('schema');
    const room = await attempt('storage', () => deps.storage.room());
    if (room && room.freeBytes / room.totalBytes < 0.02) failing.push('disk');
    if (deps.stopping.aborted) failing.push('stopping');
    const workers = await readWorkers(deps);
    reply.code(failing.length === 0 ? 200 : 503).header('Cache-Control', 'no-store');
    return {
      status: failing.length === 0 ? 'ready' : 'unready',
      failing,
      schema: schema ?? null,
      isolation,
      workers,
      cspReports: deps.cspReports.count,
    };
  });
}
