import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BenchRow } from '@pdf2press/config/bench';
import { keepFigures } from '@pdf2press/engine';
import { createDatabase } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { addSessions, administrator, call, slowestPage, startApi, timeOf } from './bench-api.ts';

/** The list of sessions and the dashboard of a house that keeps a million of them, nearly two years' worth. */
export async function bench(): Promise<BenchRow[]> {
  const postgres = await startTestPostgres({ isDurable: true });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-bench-'));
  const api = await startApi(postgres.url, path.join(folder, 'data'));
  try {
    const { authToken } = await call<{ authToken: string }>(api, '/TokenAuth/login', undefined, administrator);
    const organizations = await addSessions(api, authToken, postgres.url, 1_000_000);
    const database = createDatabase(postgres.url);
    await keepFigures({ database });
    await database.close();
    const listed = await slowestPage(api, authToken, organizations);
    const dashboards: number[] = [];
    for (const period of ['thisMonth', 'thisYear', 'lastYear'])
      dashboards.push(await timeOf(() => call(api, `/dashboard?period=${period}`, authToken)));
    return [
      {
        name: 'api: slowest of eleven kinds of page change in 1 000 000 sessions',
        ours: listed,
        unit: 'ms',
        limit: 300,
      },
      {
        name: 'api: slowest of three periods on the dashboard, 1 000 000 sessions',
        ours: Math.max(...dashboards),
        unit: 'ms',
        limit: 300,
      },
    ];
  } finally {
    await api.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
