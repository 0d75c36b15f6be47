import type { BenchRow } from '@pdf2press/config/bench';
import { keepFigures } from '@pdf2press/engine';
import { createDatabase } from '@pdf2press/prisma';
import { addSessions, call, slowestPage, timeOf, withApi } from './bench-api.ts';

/** The list of sessions and the dashboard of a house that keeps a million of them, nearly two years' worth. */
export const bench = (): Promise<BenchRow[]> =>
  withApi(async ({ api, token, databaseUrl }) => {
    const organizations = await addSessions(api, token, databaseUrl, 1_000_000);
    const database = createDatabase(databaseUrl);
    await keepFigures({ database });
    await database.close();
    const listed = await slowestPage(api, token, organizations);
    const dashboards: number[] = [];
    for (const period of ['thisMonth', 'thisYear', 'lastYear'])
      dashboards.push(await timeOf(() => call(api, `/dashboard?period=${period}`, token)));
    return [
      {
        name: 'api: slowest of fourteen kinds of page change in 1 000 000 sessions',
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
  });
