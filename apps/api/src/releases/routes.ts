import { contractMessages, problem, routes, sentence } from '@pdf2press/contract';
import { askForReleases, isNewer, type ReleaseState, readReleaseState, writeReleaseWatch } from '@pdf2press/engine';
import { toJson } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { localeOf } from '../frame/errors.ts';

const { releases } = routes;

/** Whether the installation asks for newer versions, and what it has heard. */
export function bindReleases(bind: Bind, deps: ApiDeps): void {
  const { usualAddress } = deps.releases;
  const shown = (request: FastifyRequest, { isOn, address, newest, askedAt, fault }: ReleaseState) => ({
    watch: { isOn, address },
    usualAddress: usualAddress ?? null,
    version: deps.version,
    newest,
    isNewer: newest !== null && isNewer(newest.version, deps.version),
    askedAt,
    message: fault && sentence(contractMessages, localeOf(request), fault.code, fault.params),
  });

  bind(releases.get, async ({ request }) => shown(request, await deps.db.asHost(readReleaseState)));

  bind(releases.save, ({ caller, request, body }) =>
    deps.db.asHost(async (tx) => {
      if (body.isOn && body.address === '' && usualAddress === undefined) throw problem('releases.addressNeeded');
      const { isOn, address } = await readReleaseState(tx);
      await writeReleaseWatch(tx, body);
      await audit(tx, request, {
        act: 'releases.save',
        object: caller.subscriberId,
        before: toJson({ isOn, address }) as object,
        after: toJson(body) as object,
      });
      return shown(request, await readReleaseState(tx));
    }),
  );

  bind(releases.look, async ({ caller, request }) => {
    await deps.db.asHost((tx) => audit(tx, request, { act: 'releases.look', object: caller.subscriberId }));
    await askForReleases(deps.engine, deps.releases);
    return shown(request, await deps.db.asHost(readReleaseState));
  });
}
