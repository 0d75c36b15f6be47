import { problem, routes } from '@pdf2press/contract';
import { fetchAgain, retryItem } from '@pdf2press/engine';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { localeOf } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';
import { arrivalColumns } from './csv.ts';
import { canRetry, countArrivals, readArrival, readArrivals, readFailing, readOutcome } from './read-arrivals.ts';

export function bindArrivals(bind: Bind, deps: ApiDeps): void {
  bind(routes.arrivals.retry, ({ caller, body, request }) =>
    asCaller(deps, caller, async (tx) => {
      const [kind = '', ...rest] = body.id.split(' ');
      const item = { kind, key: rest.join(' ') };
      const about = found(await readOutcome(tx, item));
      if (!canRetry({ ...about, kind })) throw problem('resource.conflict');
      const asked = found(await retryItem(tx, item));
      if (about.isFetched) await fetchAgain(tx, item.key);
      if (asked.isNew)
        await audit(tx, request, {
          act: 'arrival.retry',
          object: body.id,
          after: { name: asked.name, ...(about.reason !== null && { reason: about.reason }) },
        });
      return {};
    }),
  );

  bind(routes.arrivals.get, ({ caller, query, request }) =>
    asCaller(deps, caller, async (tx) => found((await readArrival(tx, query.id, localeOf(request))) ?? null)),
  );

  bind(routes.arrivals.export, ({ caller, query, reply, request }) => {
    // What arrives during the export would move rows from one page into the next.
    const to = query.to ?? new Date().toISOString();
    return sendList(reply, {
      name: 'arrivals',
      columns: arrivalColumns,
      read: (page) => asCaller(deps, caller, (tx) => readArrivals(tx, { ...query, to, ...page }, localeOf(request))),
    });
  });

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
