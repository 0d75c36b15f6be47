import { routes } from '@pdf2press/contract';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { countArrivals, readArrivals, readFailing } from './read-arrivals.ts';

export function bindArrivals(bind: Bind, deps: ApiDeps): void {
  bind(routes.arrivals.list, async ({ caller, query, request }) => {
    const locale = localeOf(request);
    const [items, counted, failing] = await Promise.all([
      asCaller(deps, caller, (tx) => readArrivals(tx, query, locale)),
      asCaller(deps, caller, (tx) => countArrivals(tx, query)),
      asCaller(deps, caller, (tx) => readFailing(tx, locale)),
    ]);
    return { items, ...counted, page: query.page, pageSize: query.pageSize, failing };
  });
}
