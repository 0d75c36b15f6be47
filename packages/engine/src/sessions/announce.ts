import {
  type ErrorParams,
  type MessageEvent,
  type ResultLevel,
  type retentionParts,
  type SessionEvent,
  type SessionStatus,
  sessionStatusSchema,
} from '@pdf2press/contract';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import { type CommunicationProfile, communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import type { ProfileSnapshot, SessionDecisions } from '@pdf2press/steps/contracts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { loadVersion } from '../workflows/definition.ts';
import { tellWebhooks } from './tell-webhooks.ts';

/** What of a session's files goes, and when. */
export interface Deletion {
  parts: readonly (typeof retentionParts)[number][];
  /** ISO 8601. */
  at: string;
  /** From when it is written about until then, rounded up. */
  days: number;
}

/** A file that a workflow has refused; `source` and `sourceName` as a session would have them, `at` in ISO 8601. */
export interface Refusal {
  /** Of the workflow as it was then. */
  versionId: string;
  fileName: string;
  /** Bytes; null = not counted. */
  size: number | null;
  source: string;
  sourceName: string;
  at: string;
}

/** Something that a communication profile may write about. */
export interface Announcement {
  sessionId: string;
  event: MessageEvent;
  /** The same for every try of what caused it, so that it is written about once. */
  cause: string;
  status?: SessionStatus;
  proofId?: string;
  asked?: { recipientId: string; no: number; email: string };
  failure?: { code: string; params: ErrorParams };
  deletion?: Deletion;
}

/** What of a line of history its announcement is made of. */
interface Told {
  sessionId: string;
  stepRunId?: string;
  kind: SessionEvent['kind'];
  cause: string;
  data?: Record<string, unknown>;
}

const judged: Readonly<Record<ResultLevel, MessageEvent>> = {
  Success: 'PreflightPassed',
  Warning: 'PreflightWarnings',
  Error: 'PreflightFailed',
};

/** The event of each kind of history line; of what is told elsewhere, or to nobody, none. */
const eventOf: Partial<Record<SessionEvent['kind'], (told: Told, all: readonly Told[]) => MessageEvent | null>> = {
  // A part of a file, and one that another workflow handed on, came in before.
  Created: ({ data }) => (data?.part || data?.source === 'InjectedFromPreviousWorkflow' ? null : 'Received'),
  StepFinished: ({ data, stepRunId }, all) => {
    if (data?.kind === 'Preflight') return judged[data.level as ResultLevel] ?? null;
    const isMade = all.some((each) => each.kind === 'ProductionFileCreated' && each.stepRunId === stepRunId);
    return data?.kind === 'Fix' && isMade ? 'FixApplied' : null;
  },
  HoldEntered: ({ data }) => (data?.kind === 'hold' ? 'Held' : null),
  HoldReleased: ({ data }) => (data?.kind === 'hold' && data.decision !== 'cancel' ? 'Released' : null),
  ProofHeld: () => 'ProofExpired',
  FileReplaced: () => 'FileReplaced',
  Rerouted: () => 'Rerouted',
  Completed: ({ data }) => (data?.status === 'CompletedWithWarnings' ? 'CompletedWithWarnings' : 'Completed'),
  Failed: () => 'Failed',
  Cancelled: () => 'Cancelled',
  ArchivingFailed: () => 'ArchiveFailed',
  RetentionWarned: () => 'RetentionWarning',
};

/** What of history is announced. */
export const announcementsOf = (all: readonly Told[]): Announcement[] =>
  all.flatMap((told) => {
    const event = eventOf[told.kind]?.(told, all);
    if (!event) return [];
    const { status, proofId, failure, deletion } = told.data ?? {};
    const stood = sessionStatusSchema.safeParse(status).data;
    return [
      {
        sessionId: told.sessionId,
        event,
        cause: told.cause,
        ...(stood && { status: stood }),
        ...(typeof proofId === 'string' && { proofId }),
        ...(failure ? { failure: failure as NonNullable<Announcement['failure']> } : {}),
        ...(deletion ? { deletion: deletion as Deletion } : {}),
      },
    ];
  });

// A published profile never changes, and its version is kept by the process.
const read = new WeakMap<ProfileSnapshot, CommunicationProfile | null>();

/** A published communication profile; null where it cannot be read. */
export function communicationOf(snapshot: ProfileSnapshot): CommunicationProfile | null {
  const known = read.get(snapshot);
  if (known !== undefined) return known;
  const profile = communicationProfileSchema.safeParse(snapshot.settings).data ?? null;
  read.set(snapshot, profile);
  return profile;
}

/** The channels that are written to about an event. */
export const hooksOf = (profile: CommunicationProfile | null | undefined, event: MessageEvent) =>
  profile?.hooks.filter(({ events }) => events.includes(event)) ?? [];

/** The programs that are called about an event. */
export const webhooksOf = (profile: CommunicationProfile | null | undefined, event: MessageEvent) =>
  profile?.webhooks.filter(({ events }) => events.includes(event)) ?? [];

/** Whether a profile tells anybody of an event, by whatever way. */
export const tellsOf = (profile: CommunicationProfile, event: MessageEvent): boolean =>
  profile.events[event].isOn || hooksOf(profile, event).length > 0 || webhooksOf(profile, event).length > 0;

/** The profile that writes about a session now, the one that a step chose, else the workflow's; and where it stands. */
export async function profileNow(tx: Transaction, sessionId: string) {
  const session = await tx.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { workflowVersionId: true, decisions: true, status: true },
  });
  const { definition, profiles } = await loadVersion(tx, session.workflowVersionId);
  const { communicationProfileId } = storedAs<SessionDecisions>(session.decisions);
  const id = communicationProfileId ?? definition.communicationProfileId;
  return { snapshot: id === undefined ? undefined : profiles[id], status: session.status };
}

/**
 * Records what a session's communication profile writes about and what the subscriber's webhooks are about, in the
 * transaction of its cause. Where no profile is chosen or the event is off, nothing is written; resolves to whether all of it
 * will be written about by mail.
 */
export async function announce(tx: Transaction, announcements: readonly Announcement[]): Promise<boolean> {
  let isAll = true;
  for (const { sessionId, event, cause, asked, ...about } of announcements) {
    const { snapshot, status } = await profileNow(tx, sessionId);
    // However many are asked about a proof, programs are told once.
    await tellWebhooks(tx, { key: `${event} ${cause}`, event, sessionId, about: { cause, status, ...about } });
    const profile = snapshot && communicationOf(snapshot);
    const isWritten = profile?.events[event].isOn === true;
    if (!isWritten) isAll = false;
    if (!snapshot || !profile || !tellsOf(profile, event)) continue;
    await enqueueEffect(tx, {
      kind: 'communication',
      key: `communication ${event} ${cause}${asked ? ` ${asked.email}` : ''}`,
      sessionId,
      payload: {
        event,
        profileId: snapshot.id,
        cause,
        status,
        ...about,
        ...(asked && { asked: { recipientId: asked.recipientId, no: asked.no } }),
      },
    });
  }
  return isAll;
}
