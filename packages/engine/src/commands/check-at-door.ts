import { createHash } from 'node:crypto';
import {
  doorCheckSeconds,
  type ErrorParams,
  type FileFault,
  isFinal,
  type ResultLevel,
  readableVariables,
  type SessionStatus,
  type WorkflowDefinition,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { isFileFault } from '@pdf2press/contract/faults';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { ProfileSnapshot } from '@pdf2press/steps/contracts';
import { type Door, doorOf, isCheckedAt } from '@pdf2press/steps/door';
import { injectSettingsOf } from '@pdf2press/steps/inject';
import type { Actor, EngineDeps } from '../deps.ts';
import { interval } from '../postgres/interval.ts';
import { findDelivered, type NewSession, startSession } from '../sessions/start-session.ts';
import { keepHiddenVersion } from '../sessions/start-trial.ts';
import type { StepOutput } from '../steps/record-result.ts';
import { loadVersion, type PublishedVersion } from '../workflows/definition.ts';

/*
 * Files of an upload page are checked before they are sent: each as a trial of the one preflight, before all other work of
 * the subscriber. Its key holds the file's bytes, the workflow's version and the values that the profile names, so that a
 * verdict is never taken for that of another file.
 */

const ingestKind = 'door';

export interface AtDoor {
  workflowId: string;
  /** Of the upload, which the verdict belongs to. */
  uploadId: string;
  file: NewSession['file'];
  /** What is filled in until now. */
  variables: Readonly<Record<string, unknown>>;
}

interface Guarded {
  door: Door;
  version: PublishedVersion;
  profile: ProfileSnapshot;
}

/** The check of a workflow's published version; null where files of this name are not checked. */
async function guardOf(tx: Transaction, workflowId: string, fileName: string): Promise<Guarded | null> {
  const workflow = await tx.workflow.findFirst({ where: { id: workflowId, deletedAt: null, isTrial: false } });
  if (!workflow || workflow.publishedNo === null) return null;
  const { id } = await tx.workflowVersion.findFirstOrThrow({
    where: { workflowId, no: workflow.publishedNo },
    select: { id: true },
  });
  const version = await loadVersion(tx, id);
  const door = doorOf(version.definition);
  const profile = door && version.profiles[door.profileId];
  return door && profile && isCheckedAt(door, fileName) ? { door, version, profile } : null;
}

/** Names the verdict: another file, version or value that the profile names has another. */
function keyOf({ version, door, profile }: Guarded, { uploadId, file, variables }: AtDoor): string {
  const named = JSON.stringify(profile.settings).toLowerCase();
  const values = Object.entries(readableVariables(version.definition.variables, variables))
    .filter(([name]) => named.includes(name.toLowerCase()))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const judged = JSON.stringify([file.sha256, version.id, door.stepId, values]);
  return `${uploadId} ${createHash('sha256').update(judged).digest('hex')}`;
}

const definitionOf = ({ version: { definition }, door: { profileId, types } }: Guarded): WorkflowDefinition => {
  const { namePattern } = injectSettingsOf(definition);
  return workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject', settings: { fileTypes: types, namePattern, onOtherName: 'ignore' } },
      { id: 'check', kind: 'Preflight', settings: { profileId } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'check' },
      { id: 'b', from: 'check', outcome: 'done', to: 'complete' },
    ],
    variables: definition.variables,
  });
};

export interface NewDoorCheck extends AtDoor {
  organizationId: string;
  createdBy: Actor;
}

/** The session that checks a file; null where it is not checked, undefined where it was not begun. */
export async function findDoorCheck(tx: Transaction, ask: AtDoor): Promise<string | null | undefined> {
  const guarded = await guardOf(tx, ask.workflowId, ask.file.name);
  return guarded && findDelivered(tx, { kind: ingestKind, key: keyOf(guarded, ask) });
}

/** Begins to check a file whose bytes are stored; asked again, it is the same session. Null where it is not checked. */
export async function startDoorCheck(tx: Transaction, ask: NewDoorCheck): Promise<string | null> {
  const guarded = await guardOf(tx, ask.workflowId, ask.file.name);
  if (!guarded) return null;
  const { profile, version } = guarded;
  const hidden = await keepHiddenVersion(tx, {
    name: ingestKind,
    definition: definitionOf(guarded),
    profiles: { [profile.id]: profile },
  });
  const { sessionId } = await startSession(tx, {
    ...hidden,
    isTrial: true,
    priority: 'Urgent',
    source: 'PublicFileUpload',
    ingest: { kind: ingestKind, key: keyOf(guarded, ask) },
    file: ask.file,
    variables: readableVariables(version.definition.variables, ask.variables),
    sourceOrganizationId: ask.organizationId,
    createdBy: ask.createdBy,
  });
  return sessionId;
}

/** What a check came to. `late`: it did not end in time, or could not be done; that is nobody's fault who sends a file. */
export type DoorVerdict =
  | { state: 'running' | 'late' }
  | {
      state: 'done';
      level: ResultLevel;
      errors: number;
      warnings: number;
      /** Why the file cannot be read. */
      fault: { code: FileFault; params: ErrorParams } | null;
    };

/** Faults of the work on a file, and not of the file. */
const ofTheWork: ReadonlySet<string> = new Set<FileFault>(['PDF_TIMEOUT', 'PDF_MEMORY', 'PDF_CRASH', 'FILE_NOT_FOUND']);
const isOfFile = (code: string | null): code is FileFault =>
  code !== null && isFileFault(code) && /^(PDF|FILE)_/.test(code) && !ofTheWork.has(code);

/** The verdict of a check that was begun. */
export async function readDoorVerdict(tx: Transaction, sessionId: string): Promise<DoorVerdict> {
  const [row] = await tx.$queryRaw<
    {
      status: SessionStatus;
      errorCode: string | null;
      errorParams: Prisma.JsonValue;
      output: Prisma.JsonValue;
      isLate: boolean;
    }[]
  >`
    select session.status::text as status, session.error_code as "errorCode", session.error_params as "errorParams",
           step.output, session.created_at < clock_timestamp() - ${interval(doorCheckSeconds * 1000)} as "isLate"
      from sessions session
      left join step_runs step on step.session_id = session.id and step.kind = 'Preflight'
       and step.status in ('Succeeded', 'Warned')
     where session.id = ${sessionId} and session.deleted_at is null`;
  if (!row) return { state: 'late' };
  if (isOfFile(row.errorCode)) {
    const fault = { code: row.errorCode, params: storedAs<ErrorParams | null>(row.errorParams) ?? {} };
    return { state: 'done', level: 'Error', errors: 0, warnings: 0, fault };
  }
  const { counts, level } = storedAs<StepOutput | null>(row.output) ?? {};
  if (counts && level) return { state: 'done', level, errors: counts.Fail, warnings: counts.Warn, fault: null };
  return { state: row.isLate || isFinal(row.status) ? 'late' : 'running' };
}

/** Checks whose upload was sent, removed or has expired: nobody asks for them any more. */
export const findIdleDoorChecks = (deps: EngineDeps): Promise<{ id: string; subscriberId: string }[]> =>
  deps.database.asHost(
    (tx) => tx.$queryRaw<{ id: string; subscriberId: string }[]>`
      select session.id, session.subscriber_id as "subscriberId"
        from sessions session
        join ingest_items item on item.subscriber_id = session.subscriber_id and item.session_id = session.id
         and item.source_kind = ${ingestKind}
       where session.is_trial and session.deleted_at is null
         and not exists (select 1 from uploads upload
                          where upload.subscriber_id = session.subscriber_id
                            and upload.id = split_part(session.source_ref, ' ', 1) and upload.state = 'Open')
       limit 1000`,
  );
