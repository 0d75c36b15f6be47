import { type Permission, problem, routes, trialKindSchema } from '@pdf2press/contract';
import { originalOf, startTrial, type TrialKind } from '@pdf2press/engine';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf, contextOf } from '../frame/caller.ts';
import { InvalidRequestError } from '../frame/read-part.ts';
import { readSettingsOf } from '../profiles/store.ts';
import { readObjectField, readParts } from '../sessions/create.ts';

const needed: Record<TrialKind, Permission> = {
  preflight: 'preflight.manage',
  fix: 'fix.manage',
  impose: 'impose.manage',
};

/** Trials: a profile's draft runs on a file as a session that no list shows. */
export function bindTrials(bind: Bind, deps: ApiDeps): void {
  bind(routes.trials.create, async ({ caller, request }) => {
    if (!request.isMultipart()) throw problem('request.notJson');
    const { file, fields } = await readParts(deps, caller, request);
    const kind = trialKindSchema.safeParse(fields.get('kind')).data;
    if (!kind) throw new InvalidRequestError([{ code: 'value.invalid', field: 'kind' }]);
    const permission = needed[kind];
    if (!caller.permissions.has(permission)) throw problem('access.denied', { permission });
    const settings = readSettingsOf(kind, readObjectField(fields.get('settings'), 'settings'));
    const context = contextOf(caller);
    const sessionId = fields.get('sessionId');
    if (!file && !sessionId) throw problem('file.missing', {}, 'file');
    const id = await startTrial(deps.engine, {
      context,
      kind,
      settings,
      file: file ?? (await originalOf(deps.engine, context, sessionId ?? '')),
      createdBy: actorOf(caller),
    });
    return { id };
  });
}
