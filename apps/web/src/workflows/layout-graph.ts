interface Graph {
  steps: readonly { id: string }[];
  edges: readonly { from: string; to: string }[];
}
export interface Place {
  x: number;
  y: number;
}

/**
 * Places for a graph without any: columns by the longest way from the start, rows in the order of arrival. Small and
 * steady; it serves drawings, not editing.
 */
export function placesOf({ steps, edges }: Graph): Map<string, Place> {
  const column = new Map(steps.map((step) => [step.id, 0]));
  // A graph without circles settles after as many rounds as it has steps; one with circles stops there too.
  for (let round = 0; round < steps.length; round += 1) {
    let isSettled = true;
    for (const { from, to } of edges) {
      const wanted = (column.get(from) ?? 0) + 1;
      if (column.has(to) && wanted > (column.get(to) ?? 0) && wanted < steps.length) {
        column.set(to, wanted);
        isSettled = false;
      }
    }
    if (isSettled) break;
  }
  const used = new Map<number, number>();
  return new Map(
    steps.map(({ id }) => {
      const x = column.get(id) ?? 0;
      const y = used.get(x) ?? 0;
      used.set(x, y + 1);
      return [id, { x, y }];
    }),
  );
}

/** Steps that were never placed all lie at the origin: such a graph is laid out. */
export const isPlaced = (steps: readonly { position: Place }[]): boolean =>
  steps.length < 2 || new Set(steps.map(({ position }) => `${position.x}/${position.y}`)).size > 1;

/** Steps as the flow reaches them: column by column, each from above. */
export function inFlow<S extends { id: string }>({
  steps,
  edges,
}: {
  steps: readonly S[];
  edges: Graph['edges'];
}): S[] {
  const places = placesOf({ steps, edges });
  const of = ({ id }: S) => places.get(id) ?? { x: 0, y: 0 };
  return [...steps].sort((a, b) => of(a).x - of(b).x || of(a).y - of(b).y);
}
