import type { MessageEvent } from '@pdf2press/contract';
import type { ComposedMessage } from '@pdf2press/mail';
import type { About, PreparedEvent } from './compose.ts';

/** Names of facts that programs are told, by what they are about; their last part is the name in the JSON. */
const told = {
  session: ['session.id', 'session.status', 'session.url', 'session.source', 'session.sourceName'],
  workflow: ['workflow.id', 'workflow.name', 'workflow.version'],
  file: ['file.name', 'file.originalName', 'file.sizeBytes'],
  proof: [
    'proof.version',
    'proof.decision',
    'proof.decidedBy',
    'proof.decidedAt',
    'proof.comment',
    'proof.declinedPages',
  ],
} as const;

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

interface Told {
  event: MessageEvent;
  /** ISO 8601. */
  at: string;
  prepared: PreparedEvent;
  message: Pick<ComposedMessage, 'subject' | 'text'>;
  about: Pick<About, 'proofId' | 'failure' | 'deletion'>;
}

/**
 * What a program is told of an event, as JSON (docs/webhooks.md). `session.id` is null of a file that was refused, `proof` where
 * the event is about none. A link that is somebody's own is never in it.
 */
export function webhookBody({ event, at, prepared, message, about }: Told): string {
  const { facts, externalId } = prepared;
  const values = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [lastPart(name), facts.get(name.toLowerCase())?.value ?? null]));
  const { session, workflow, file, proof } = told;
  return JSON.stringify({
    event,
    at,
    session: { ...values(session), externalId },
    workflow: values(workflow),
    file: values(file),
    proof: about.proofId === undefined ? null : values(proof),
    failure: about.failure ?? null,
    deletion: about.deletion ?? null,
    message: { subject: message.subject, text: message.text },
  });
}
