import { type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import type { ProfileSnapshot } from '@pdf2press/steps/contracts';

/** A published version in the form that steps use. */
export interface PublishedVersion {
  id: string;
  workflowId: string;
  workflowName: string;
  no: number;
  definition: WorkflowDefinition;
  profiles: Record<string, ProfileSnapshot>;
  /** In a trial, what the steps that would wait or act are answered, by their ids. */
  answers: Readonly<Record<string, string>>;
}

/** What the column `trial` of a version holds. */
export interface StoredTrial {
  answers: Record<string, string>;
}

// Published versions never change, so a process reads each once. Ids are unique across subscribers, and a version is looked
// up only by the id in a row of the caller's own subscriber.
const known = new Map<string, PublishedVersion>();
const bound = 500;

/** Reads a published version; parsing it fills in the defaults of newer releases. */
export async function loadVersion(tx: Transaction, id: string): Promise<PublishedVersion> {
  const cached = known.get(id);
  if (cached) return cached;
  const row = await tx.workflowVersion.findUniqueOrThrow({
    where: { id },
    include: { workflow: { select: { name: true } } },
  });
  const version: PublishedVersion = {
    id,
    workflowId: row.workflowId,
    workflowName: row.workflow.name,
    no: row.no,
    definition: workflowDefinitionSchema.parse(row.definition),
    profiles: storedAs(row.profiles),
    answers: storedAs<StoredTrial | null>(row.trial)?.answers ?? {},
  };
  if (known.size >= bound) known.delete(known.keys().next().value ?? '');
  known.set(id, version);
  return version;
}
