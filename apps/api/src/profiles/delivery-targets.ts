import { contractMessages, routes, sentence } from '@pdf2press/contract';
import { deliveryContractOf } from '@pdf2press/deliveries/contracts';
import { tryTarget } from '@pdf2press/deliveries/runners';
import {
  deliveryAddress,
  deliveryRootOf,
  guardedFetch,
  mailEnvironmentOf,
  mailToolsOf,
  openCloudAccount,
} from '@pdf2press/engine';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { faultsOf, InvalidRequestError } from '../frame/read-part.ts';
import { secretToTry } from './connection-secrets.ts';
import { demandOwnStorage } from './named-storage.ts';
import { storedSettings } from './stored-settings.ts';

/** A trial ends after this many milliseconds, however far it is. */
const trialMs = 45_000;

export function bindDeliveryTargets(bind: Bind, deps: ApiDeps): void {
  bind(routes.deliveryTargets.test, async ({ caller, request, body }) => {
    const contract = deliveryContractOf(body.settings);
    if (!contract) throw new InvalidRequestError([{ code: 'value.required', field: 'settings.kind' }], 422);
    const read = (contract.tried ?? contract.settings).safeParse(body.settings, { reportInput: true });
    if (!read.success) throw new InvalidRequestError(faultsOf(read.error, 'settings'), 422);
    const { subscriberId } = caller;
    const settings = { ...read.data, kind: contract.kind };
    const secret = await asCaller(deps, caller, async (tx) => {
      const stored = body.id === undefined ? undefined : await storedSettings(tx, 'delivery', body.id);
      await demandOwnStorage(tx, caller, { kind: 'delivery', organizationId: undefined, settings, before: stored });
      return secretToTry(tx, deps, { kind: 'delivery', subscriberId, given: body.settings, settings, stored });
    });
    const signal = AbortSignal.any([AbortSignal.timeout(trialMs), deps.stopping]);
    const { outboundAllowedHosts, cloudApps } = deps.env;
    const cloud = { keys: deps.keys, fetch: guardedFetch(outboundAllowedHosts), cloudApps };
    const { failed, ...trial } = await tryTarget({
      settings,
      secret,
      tools: {
        root: await deliveryRootOf(deps.engine, deps.env.deliveryFolderDir, subscriberId),
        addressOf: deliveryAddress(outboundAllowedHosts),
        openCloud: (connectionId) => openCloudAccount(deps.engine, cloud, { subscriberId, connectionId, signal }),
        mail: mailToolsOf(
          deps.engine,
          {
            keys: deps.keys,
            environment: mailEnvironmentOf(deps.env),
            title: deps.env.title,
            baseUrl: deps.env.publicUrl,
          },
          { subscriberId, file: null, trier: caller.email || null },
        ),
      },
      signal,
    });
    const stages = [...trial.stages];
    if (!failed) return { ...trial, stages, failed };
    const { stage, fault } = failed;
    const message = sentence(contractMessages, localeOf(request), fault.code, fault.params);
    return { ...trial, stages, failed: { stage, code: fault.code, message } };
  });
}
