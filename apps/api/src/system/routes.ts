import { cultures, type FeatureKey, featureKeySchema, problem, routes } from '@pdf2press/contract';
import { readArchiveOverview, readOverage, readOwnPlan, readSettings, readUsage } from '@pdf2press/engine';
import { certificateKey } from '@pdf2press/engine/secrets';
import type { Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';
import { attachment } from '../sessions/download.ts';
import { firstSubscriberId, isSetUp } from '../setup/set-up.ts';
import { bindMail } from './mail-routes.ts';
import { bindNotices } from './notices.ts';
import { maskedSettings, saveSettings } from './settings.ts';
import { testArchiving, testArchivingBucket, testMail, testNoticeHook } from './test-connections.ts';

/**
 * What lies in the store: equal bytes once, also those of fonts and logos and of what is deleted until the collector comes; not
 * what lies in the archive only. Who sees some organizations only is told what their files take.
 */
async function readStoredBytes(tx: Transaction, { subscriberId, organizationIds }: Caller): Promise<number> {
  if (!organizationIds) return found((await readUsage(tx, [subscriberId])).get(subscriberId)).storageBytes;
  const [held] = await tx.$queryRaw<{ bytes: number | null }[]>`
    select sum(size)::float8 as bytes from blobs
     where blobs.removed_at is null and offloaded_at is null
       and exists (select 1 from files where files.subscriber_id = blobs.subscriber_id and files.sha256 = blobs.sha256 and files.removed_at is null)`;
  return held?.bytes ?? 0;
}

/** Long because it is a list: one handler per route of the contract. */
export function bindSystem(bind: Bind, deps: ApiDeps): void {
  const { system } = routes;
  // One call under three paths, because existing clients use all of them.
  for (const spelling of [system.settings, system.settingsLowerCase, system.getSettings])
    bind(spelling, ({ caller }) => asCaller(deps, caller, (tx) => maskedSettings(tx, caller.subscriberId)));

  bind(system.saveSettings, ({ caller, request, body }) => saveSettings(deps, caller, request, body));

  bind(system.cultures, async ({ request }) => {
    const names = new Intl.DisplayNames([localeOf(request)], { type: 'language', languageDisplay: 'standard' });
    return cultures.map((code) => ({ code, name: names.of(code) ?? code }));
  });

  bind(system.storageMetrics, async ({ caller }) => {
    const rows = await asCaller(deps, caller, (tx) =>
      tx.file.groupBy({ by: ['kind'], where: { removedAt: null }, _sum: { size: true }, _count: { _all: true } }),
    );
    const byKind = rows.map(({ kind, _sum, _count }) => ({ kind, bytes: Number(_sum.size ?? 0), files: _count._all }));
    return {
      totalBytes: await asCaller(deps, caller, (tx) => readStoredBytes(tx, caller)),
      fileCount: byKind.reduce((sum, { files }) => sum + files, 0),
      byKind,
      diskFreeBytes: (await deps.storage.room())?.freeBytes ?? null,
    };
  });

  bind(system.plan, async ({ caller }) => {
    // The numbers are those of the whole house.
    if (caller.organizationIds) throw problem('access.denied', { permission: 'organizations' });
    const { subscriberId } = caller;
    return asCaller(deps, caller, async (tx) => ({
      plan: await readOwnPlan(tx),
      usage: found((await readUsage(tx, [subscriberId])).get(subscriberId)),
      overage: await readOverage(tx, subscriberId),
    }));
  });

  bind(routes.archiving.overview, ({ caller }) =>
    asCaller(deps, caller, (tx) => readArchiveOverview(tx, caller.subscriberId)),
  );

  bind(routes.archiving.test, async ({ caller, body }) => {
    await testArchivingBucket(deps, caller, body);
    return { isConnected: true };
  });

  bind(system.testArchiving, async ({ caller, body }) => {
    await testArchiving(deps, caller, body);
    return { isConnected: true };
  });

  bind(system.testMail, async ({ caller, body }) => {
    await testMail(deps, caller, body);
    return { isConnected: true };
  });

  bind(system.testNoticeHook, async ({ caller, body }) => {
    await testNoticeHook(deps, caller, body);
    return { isConnected: true };
  });

  bind(system.features, async ({ caller, query }) => {
    if (query.subscriberId !== undefined) found(query.subscriberId === caller.subscriberId ? true : null);
    return [...caller.features].map((featureKey: FeatureKey) => ({ featureKey: featureKeySchema.parse(featureKey) }));
  });

  bindMail(bind, deps);

  bind(system.cspReport, async ({ request, reply }) => {
    deps.cspReports.count += 1;
    // Anybody can send such a report with any content: only a short part of it is logged.
    deps.log.warn({ report: JSON.stringify(request.body ?? null).slice(0, 2000) }, 'csp.violation');
    return reply.code(204).send();
  });

  bindNotices(bind, deps);

  const key = certificateKey(deps.keys);
  bind(system.certificateKey, async ({ reply }) =>
    reply
      .headers({
        'Content-Type': 'application/x-pem-file',
        'Content-Disposition': attachment('pdf2press-certificates.pem'),
      })
      .send(key),
  );

  bind(system.appInfo, async () => {
    const settings = await deps.db.asHost(async (tx) => {
      const subscriberId = await firstSubscriberId(tx);
      return subscriberId ? readSettings(tx, subscriberId) : undefined;
    });
    return {
      title: deps.env.title,
      version: (settings?.showVersionNumber ?? true) ? deps.version : null,
      isSetUp: await isSetUp(deps),
      maxUploadBytes: deps.env.maxUploadBytes,
      defaultUnit: settings?.measurementSettings.defaultUnit ?? 'Millimeters',
    };
  });
}
