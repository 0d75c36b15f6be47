import { cleanFileName, ProblemError, wayOfSource } from '@pdf2press/contract';
import { type Delivery, noteNotTaken, receiveFile, type StartedSession } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';

/**
 * Takes a file that somebody sends. A refusal is noted, so that who asks for the file later is told what became of it.
 * @throws ProblemError why it was refused
 */
export async function receive(deps: ApiDeps, delivery: Delivery): Promise<StartedSession> {
  const ingest = { kind: delivery.ingest.kind, key: delivery.ingest.key ?? newId('upload') };
  try {
    return await receiveFile(deps.engine, { ...delivery, ingest });
  } catch (error) {
    const [first] = error instanceof ProblemError ? error.problems : [];
    if (first)
      await noteNotTaken(deps.engine, delivery.context, {
        ...ingest,
        workflowId: delivery.workflowId,
        name: cleanFileName(delivery.fileName),
        size: 'size' in delivery.bytes ? delivery.bytes.size : null,
        way: delivery.way ?? wayOfSource[delivery.source],
        sourceName: delivery.sourceName ?? '',
        state: 'Rejected',
        reason: first.code,
        params: first.params ?? {},
      }).catch((failure: unknown) => deps.log.warn({ err: failure }, 'a refusal was not noted'));
    throw error;
  }
}
