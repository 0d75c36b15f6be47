import {
  type Arrival,
  externalIdOf,
  ProblemError,
  problem,
  readableVariables,
  readVariables,
  type SessionPriority,
  type SessionSource,
  type Sidecar,
  sessionPriorities,
  type VariableValues,
  type WayIn,
  wayOfSource,
} from '@pdf2press/contract';
import { newId, newPublicId, type Transaction, toJson } from '@pdf2press/prisma';
import { stepContracts } from '@pdf2press/steps/contracts';
import { enter, injectSettingsOf, valuesOfName } from '@pdf2press/steps/inject';
import type { Actor } from '../deps.ts';
import { writeBlobs } from '../files/blob-rows.ts';
import { demandInPlan } from '../plans/demand-in-plan.ts';
import { loadVersion, type PublishedVersion } from '../workflows/definition.ts';
import { decideOrganization } from './decide-organization.ts';
import { writeEvents } from './events.ts';
import { findDuplicate, isDelivered } from './find-duplicate.ts';

export interface NewSession {
  workflowId: string;
  source: SessionSource;
  /** The way it came where the source alone does not tell it: a folder of this machine. */
  way?: WayIn;
  /** Shown as the session's source: a folder, an address, a person. */
  sourceName?: string;
  /** What identifies the delivery at its source; the same (kind, key) never makes a second session. */
  ingest: { kind: string; key: string };
  file: { sha256: string; size: number; name: string; mediaType?: string };
  variables?: Readonly<Record<string, unknown>>;
  /** A file with values for the variables, which came beside this one. */
  sidecar?: Sidecar | undefined;
  /** The organization that the source belongs to, and the one that the caller names; see `decideOrganization`. */
  sourceOrganizationId?: string;
  organizationId?: string;
  parentSessionId?: string;
  /** How many times the file was rerouted before. */
  rerouteCount?: number;
  /** Default `Normal`. */
  priority?: SessionPriority;
  /** A trial of a draft on a file: shown in no list, and behind every other session. */
  isTrial?: boolean;
  /**
   * In a trial of a workflow, the version that holds its draft; of a part, the version of the session whose file was divided.
   * Without it the published one is taken.
   */
  versionId?: string;
  /**
   * What is remembered of how the file came: who sent it; of a part of a file that came in before, how that came and which part
   * it is.
   */
  arrival?: Arrival;
  /** In a trial, the session of the past whose file it is, and whose organization it has. */
  trialOfId?: string;
  createdBy: Actor;
}

export interface StartedSession {
  sessionId: string;
  /** The delivery was known: `id` is the session that it made the first time. */
  isDuplicate: boolean;
}

/** Version of a step kind for new rows; an unknown kind waits for a worker that knows it. */
export const kindVersionOf = (kind: string): number =>
  (stepContracts as Record<string, { version: number } | undefined>)[kind]?.version ?? 1;

interface Admitted {
  version: PublishedVersion;
  values: VariableValues;
  arrival: Arrival;
}

/** What a session is begun with, as far as it decides whether it may begin. */
type Arriving = Pick<
  NewSession,
  'workflowId' | 'variables' | 'source' | 'way' | 'sidecar' | 'arrival' | 'isTrial' | 'parentSessionId'
> & {
  fileName: string;
  /** Bytes of the file, where they are known already. */
  size?: number;
};

/** Applies the rules of the version's injection step. @throws ProblemError why the file is not taken */
function admitTo(version: PublishedVersion, arriving: Arriving): Admitted {
  const { variables } = version.definition;
  const { arrival: inherited = {}, variables: given = {}, source, way = wayOfSource[source] } = arriving;
  if (inherited.part?.pages) return { version, values: readVariables(variables, given).values, arrival: inherited };
  const { values, isPackage, hasOtherName } = enter({
    settings: injectSettingsOf(version.definition),
    variables,
    fileName: arriving.fileName,
    given,
    sidecar: arriving.sidecar,
    ...(!inherited.part && { way }),
  });
  // The files in a package may bring what it has not.
  const asked = isPackage ? variables.map((variable) => ({ ...variable, isRequired: false })) : variables;
  const read = readVariables(asked, values);
  if (read.problems.length > 0) throw new ProblemError(read.problems);
  return { version, values: read.values, arrival: { ...inherited, ...(hasOtherName && { hasOtherName }) } };
}

/**
 * The published version that new sessions of a workflow use, and their variables. @throws ProblemError when it takes none,
 * or not this file
 */
export async function admit(tx: Transaction, arriving: Arriving): Promise<Admitted> {
  const { workflowId, isTrial, parentSessionId, size } = arriving;
  const workflow = await tx.workflow.findFirst({ where: { id: workflowId, deletedAt: null } });
  if (!workflow) throw problem('resource.notFound', {}, 'workflowId');
  if (!workflow.isEnabled) throw problem('workflow.disabled', {}, 'workflowId');
  if (workflow.publishedNo === null) throw problem('workflow.notPublished', {}, 'workflowId');
  const { id } = await tx.workflowVersion.findFirstOrThrow({
    where: { workflowId, no: workflow.publishedNo },
    select: { id: true },
  });
  const read = admitTo(await loadVersion(tx, id), arriving);
  // What was taken runs on: only what comes by itself is limited by the plan.
  if (!isTrial && parentSessionId === undefined) await demandInPlan(tx, size);
  return read;
}

/**
 * A draft's version and variables: what a past session was given and the draft cannot read is left out, and what the draft
 * would refuse is tried.
 */
function admitTrial(version: PublishedVersion, { variables: given = {}, fileName }: Arriving): Admitted {
  const { variables } = version.definition;
  const named = valuesOfName(injectSettingsOf(version.definition), fileName, variables);
  const values = readableVariables(variables, { ...given, ...named.values });
  return { version, values, arrival: named.isHeld ? { hasOtherName: true } : {} };
}

async function admitted(tx: Transaction, session: NewSession): Promise<Admitted> {
  const arriving = { ...session, fileName: session.file.name, size: session.file.size };
  if (session.versionId === undefined) return admit(tx, arriving);
  const version = await loadVersion(tx, session.versionId);
  return session.isTrial ? admitTrial(version, arriving) : admitTo(version, arriving);
}

/** The session that a delivery made before, if any. */
export async function findDelivered(tx: Transaction, { kind, key }: NewSession['ingest']): Promise<string | undefined> {
  const item = await tx.ingestItem.findFirst({ where: { sourceKind: kind, sourceKey: key, state: 'Accepted' } });
  return item?.sessionId ?? undefined;
}

/**
 * Makes a session and its first step in the caller's transaction. The bytes are durable already; when this commits, the
 * delivery may be acknowledged. Of two equal deliveries at the same time, the row of the second waits for the first.
 */
export async function startSession(tx: Transaction, session: NewSession): Promise<StartedSession> {
  const { version, values, arrival: arrived } = await admitted(tx, session);
  const { ingest, file } = session;
  const { organizationId, decidedBy } = session.trialOfId
    ? { organizationId: session.organizationId ?? null, decidedBy: null }
    : await decideOrganization(tx, {
        workflowId: session.workflowId,
        ofSource: session.sourceOrganizationId,
        chosen: session.organizationId,
      });
  // Before anything is written: what refuses one part of a file leaves nothing behind in the transaction of the others.
  const arrival: Arrival = { ...arrived, ...(await findDuplicate(tx, version, session)) };
  // History is never changed, and an address may have to be erased.
  const { sender: _, ...told } = arrival;
  const way = isDelivered(session) ? (session.way ?? wayOfSource[session.source]) : null;
  const claimed = await tx.$executeRaw`
    insert into ingest_items (source_kind, source_key, state, name, size, sha256, attempts, way, source_name)
    values (${ingest.kind}, ${ingest.key}, 'Accepted', ${file.name}, ${file.size}::bigint, ${file.sha256}, 1, ${way},
            ${session.sourceName ?? ''})
    on conflict (subscriber_id, source_kind, source_key)
      do update set state = 'Accepted', name = excluded.name, sha256 = excluded.sha256, size = excluded.size, reason = null,
                    reason_params = null, next_at = null, asked_at = null, way = excluded.way, source_name = excluded.source_name,
                    attempts = ingest_items.attempts + 1, updated_at = clock_timestamp()
      where ingest_items.state <> 'Accepted'`;
  if (claimed === 0) {
    const sessionId = await findDelivered(tx, ingest);
    if (!sessionId) throw problem('resource.conflict');
    return { sessionId, isDuplicate: true };
  }
  const id = newId('session');
  const fileId = newId('file');
  const first = version.definition.steps.find((step) => step.kind === 'Inject');
  if (!first) throw problem('workflow.notPublished');
  await writeBlobs(tx, [{ sha256: file.sha256, size: file.size }]);
  await tx.session.create({
    data: {
      id,
      publicId: newPublicId(),
      workflowId: version.workflowId,
      workflowVersionId: version.id,
      organizationId,
      organizationDecidedBy: decidedBy,
      parentSessionId: session.parentSessionId ?? null,
      rerouteCount: session.rerouteCount ?? 0,
      priority: sessionPriorities.indexOf(session.priority ?? 'Normal'),
      isTrial: session.isTrial ?? false,
      trialOfId: session.trialOfId ?? null,
      source: session.source,
      sourceName: session.sourceName ?? '',
      sourceRef: ingest.key,
      externalId: externalIdOf(values),
      fileName: file.name,
      fileSize: file.size,
      variables: values,
      arrival: toJson(arrival),
      createdBy: { ...session.createdBy },
    },
    select: { id: true },
  });
  await tx.file.create({
    data: {
      id: fileId,
      sessionId: id,
      sha256: file.sha256,
      runNo: 1,
      kind: 'OriginalFile',
      name: file.name,
      mediaType: file.mediaType ?? 'application/pdf',
      size: file.size,
    },
    select: { id: true },
  });
  await tx.stepRun.create({
    data: {
      id: newId('stepRun'),
      sessionId: id,
      runNo: 1,
      nodeId: first.id,
      kind: first.kind,
      kindVersion: kindVersionOf(first.kind),
      input: { fileId, variables: values },
    },
    select: { id: true },
  });
  await tx.$executeRaw`
    update ingest_items set session_id = ${id} where source_kind = ${ingest.kind} and source_key = ${ingest.key}`;
  const by = { sessionId: id, runNo: 1, actor: session.createdBy };
  await writeEvents(tx, [
    {
      ...by,
      kind: 'Created',
      cause: `${id} created`,
      data: { source: session.source, sourceName: session.sourceName ?? '', ...told },
    },
    { ...by, kind: 'FileReceived', cause: `${id} received`, data: { fileId, name: file.name, size: file.size } },
  ]);
  return { sessionId: id, isDuplicate: false };
}
