import type { ErrorParams, WayIn } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { enqueueEffect } from '../effects/enqueue.ts';
import { loadVersion } from '../workflows/definition.ts';
import { communicationOf, tellsOf } from './announce.ts';
import { tellWebhooks } from './tell-webhooks.ts';

/** Refusals of one workflow that are written about in an hour: a program at the other end may send the same for ever. */
const mostInAnHour = 20;

/** A file that a workflow has refused for good. */
export interface Refused {
  workflowId: string;
  kind: string;
  key: string;
  name: string;
  size: number | null;
  way: WayIn;
  /** Shown as its source: a folder, an address, a person. */
  sourceName: string;
  reason: string;
  params: ErrorParams;
}

/** Whether so many refusals have been told lately, by the beginning of their keys, that no more are. */
async function isOften(tx: Transaction, prefix: string): Promise<boolean> {
  const [recent] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from effects
     where kind = 'communication' and starts_with(key, ${prefix}) and created_at > clock_timestamp() - interval '1 hour'`;
  return (recent?.count ?? 0) >= mostInAnHour;
}

/**
 * Records that a file was refused, for the communication profile of its workflow as it is published and for the subscriber's
 * webhooks, in the transaction that notes the refusal; once for each file. There is no session, so that a step has chosen no
 * other profile, and nothing can go along. Whoever hands in a file on the screen has the answer there, and is not written about.
 */
export async function announceRefusal(tx: Transaction, refused: Refused): Promise<void> {
  const { workflowId, kind, key, name, size, way, sourceName, reason, params } = refused;
  if (way === 'manual') return;
  const [workflow] = await tx.$queryRaw<{ versionId: string; now: Date }[]>`
    select version.id as "versionId", clock_timestamp() as now from workflows workflow
      join workflow_versions version on version.workflow_id = workflow.id and version.no = workflow.published_no
     where workflow.id = ${workflowId} and workflow.deleted_at is null`;
  if (!workflow) return;
  const { versionId, now } = workflow;
  const { definition, profiles } = await loadVersion(tx, versionId);
  const snapshot = profiles[definition.communicationProfileId ?? ''];
  const profile = snapshot && communicationOf(snapshot);
  const about = {
    cause: `${workflowId} ${kind} ${key}`,
    failure: { code: reason, params },
    refusal: { versionId, fileName: name, size, source: way, sourceName, at: now.toISOString() },
  };
  if (!(await isOften(tx, `webhooks Rejected ${workflowId} `)))
    await tellWebhooks(tx, { key: `Rejected ${workflowId} ${kind} ${key}`, event: 'Rejected', about });
  if (!snapshot || !profile || !tellsOf(profile, 'Rejected')) return;
  const prefix = `communication Rejected ${workflowId} `;
  if (await isOften(tx, prefix)) return;
  await enqueueEffect(tx, {
    kind: 'communication',
    key: `${prefix}${kind} ${key}`,
    payload: { event: 'Rejected', profileId: snapshot.id, ...about },
  });
}
