import type { WorkflowDefinition, WorkflowStep } from '@pdf2press/contract';
import { portsOf } from './step-kinds.ts';

/**
 * The steps of a list in the order of the flow, each with how far it is indented: one further in for each step before it on
 * its way that leads several ways, and back where ways meet again.
 */
export function listOf(
  order: readonly WorkflowStep[],
  edges: WorkflowDefinition['edges'],
): { step: WorkflowStep; depth: number }[] {
  const byId = new Map(order.map((step) => [step.id, step]));
  const depths = new Map<string, number>();
  for (const step of order) {
    const into = edges.filter(({ to }) => to === step.id);
    const [only] = into;
    const parent = only && byId.get(only.from);
    const before = Math.min(...into.map(({ from }) => depths.get(from) ?? 0));
    depths.set(
      step.id,
      into.length === 0 || !parent
        ? 0
        : into.length > 1
          ? Math.max(0, before - 1)
          : before + (portsOf(parent).length > 1 ? 1 : 0),
    );
  }
  return order.map((step) => ({ step, depth: Math.min(4, depths.get(step.id) ?? 0) }));
}
