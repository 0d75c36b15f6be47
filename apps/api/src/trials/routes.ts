import { type Permission, problem, routes, trialKindSchema, workflowTrialSchema } from '@pdf2press/contract';
import { deleteSession, originalOf, startTrial, startWorkflowTrial, type TrialKind } from '@pdf2press/engine';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { InvalidRequestError, readPart } from '../frame/read-part.ts';
import { found } from '../frame/rows.ts';
import { readSettingsOf } from '../profiles/store.ts';
import { readObjectField, readParts } from '../sessions/create.ts';
import { demandNoIssues } from '../workflows/read-workflow.ts';
import { ofTrial, readComparison, readTrial } from './read-trial.ts';

const needed: Record<TrialKind, Permission> = {
  preflight: 'preflight.manage',
  fix: 'fix.manage',
  impose: 'impose.manage',
};

/** Trials: a draft of a profile or a workflow runs on files as sessions that no list shows. */
export function bindTrials(bind: Bind, deps: ApiDeps): void {
  bind(routes.trials.create, async ({ caller, request }) => {
    if (!request.isMultipart()) throw problem('request.notJson');
    const { file, fields } = await readParts(deps, caller, request);
    const kind = trialKindSchema.safeParse(fields.get('kind')).data;
    if (!kind) throw new InvalidRequestError([{ code: 'value.invalid', field: 'kind' }]);
    const permission = needed[kind];
    if (!caller.permissions.has(permission)) throw problem('access.denied', { permission });
    const settings = await readSettingsOf(kind, readObjectField(fields.get('settings'), 'settings'));
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

  bind(routes.trials.createOfWorkflow, async ({ caller, request }) => {
    if (!request.isMultipart()) throw problem('request.notJson');
    const { file, fields } = await readParts(deps, caller, request);
    const asked = readObjectField(fields.get('trial'), 'trial');
    const trial = readPart(workflowTrialSchema, asked, 'body') as z.output<typeof workflowTrialSchema>;
    if (trial.last > 0 || trial.sessionIds.length > 0) demand(caller, 'sessions.view');
    const { issues, id } = await startWorkflowTrial(deps.engine, {
      ...trial,
      context: contextOf(caller),
      createdBy: actorOf(caller),
      ...(file && { file }),
    });
    demandNoIssues(localeOf(request), issues);
    return { id: id ?? '' };
  });

  bind(routes.trials.get, ({ caller, params }) =>
    asCaller(deps, caller, (tx) => readTrial(deps, tx, { subscriberId: caller.subscriberId, id: params.id })),
  );

  bind(routes.trials.compare, ({ caller, request, params }) =>
    asCaller(deps, caller, (tx) => readComparison(deps, tx, caller, localeOf(request), params)),
  );

  bind(routes.trials.remove, async ({ caller, params }) => {
    const sessions = await asCaller(deps, caller, (tx) =>
      tx.session.findMany({ where: ofTrial(params.id), select: { id: true } }),
    );
    found(sessions[0]);
    for (const { id } of sessions)
      await deleteSession(deps.engine, contextOf(caller), { sessionId: id, by: actorOf(caller) });
    return {};
  });
}
