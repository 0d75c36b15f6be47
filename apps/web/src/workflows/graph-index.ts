import type { WorkflowEdge, WorkflowIssue, WorkflowStep } from '@pdf2press/contract';

/*
 * What every step on the canvas looks up with every change, found for all of them at once. An answer is kept as long as
 * the list it was made from.
 */

function remembered<Item, Answer>(make: (list: readonly Item[]) => Answer): (list: readonly Item[]) => Answer {
  const made = new WeakMap<readonly Item[], Answer>();
  return (list) => {
    const known = made.get(list);
    if (known !== undefined) return known;
    const answer = make(list);
    made.set(list, answer);
    return answer;
  };
}

const grouped = <Item>(keyOf: (item: Item) => string | undefined) =>
  remembered((list: readonly Item[]): ReadonlyMap<string, readonly Item[]> => {
    const groups = new Map<string, Item[]>();
    for (const item of list) {
      const key = keyOf(item);
      if (key === undefined) continue;
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
    return groups;
  });

export const stepsById = remembered(
  (steps: readonly WorkflowStep[]): ReadonlyMap<string, WorkflowStep> => new Map(steps.map((step) => [step.id, step])),
);

/** The connections that leave each step. */
export const edgesFrom = grouped(({ from }: WorkflowEdge) => from);

/** The issues of each step. */
export const issuesByStep = grouped(({ stepId }: WorkflowIssue) => stepId);
