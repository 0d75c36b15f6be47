import { createHash } from 'node:crypto';
import {
  type Approval,
  type ApprovalPolicy,
  approvalNeeds,
  type ResultLevel,
  severitiesToAccept,
} from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';

/** What a policy goes by. */
export interface Judged {
  policy: ApprovalPolicy;
  level: ResultLevel;
  /** Step whose findings count; null = nothing has judged the file. */
  judgedById: string | null;
}

/** Ids of the findings that whoever approves must accept, in a fixed order. */
export async function findingsToAccept(tx: Transaction, judged: Judged): Promise<string[]> {
  const wanted = severitiesToAccept(judged.policy, judged.level);
  if (wanted.length === 0 || judged.judgedById === null) return [];
  const rows = await tx.finding.findMany({
    where: { stepRunId: judged.judgedById, severity: { in: [...wanted] } },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id }) => id);
}

/** What stands for a list of findings: whoever sends it back has seen just these. */
const digestOf = (ids: readonly string[]): string => createHash('sha256').update(ids.join('\n')).digest('base64url');

/** What approving needs, for these findings. */
export function approvalOf({ policy, level }: Judged, ids: readonly string[]): Approval {
  const need = approvalNeeds[policy][level];
  return need === 'acceptance' ? { need, count: ids.length, digest: digestOf(ids) } : { need };
}
