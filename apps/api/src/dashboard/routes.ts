import { routes } from '@pdf2press/contract';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { localeOf } from '../frame/errors.ts';
import { attachment } from '../sessions/download.ts';
import { dashboardCsv } from './csv.ts';
import { readDashboard } from './read-dashboard.ts';

export function bindDashboard(bind: Bind, deps: ApiDeps): void {
  const { dashboard } = routes;
  bind(dashboard.read, ({ caller, query, request }) => readDashboard(deps, caller, query, localeOf(request)));

  bind(dashboard.export, async ({ caller, query, request, reply }) => {
    const read = await readDashboard(deps, caller, query, localeOf(request));
    const name = `dashboard-${query.period}-${read.from.slice(0, 10)}.csv`;
    reply.headers({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': attachment(name),
      'Cache-Control': 'no-store',
    });
    return dashboardCsv(read);
  });
}
