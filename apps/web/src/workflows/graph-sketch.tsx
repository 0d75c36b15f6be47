import type { WorkflowSummary } from '@pdf2press/contract';
import { isPlaced, placesOf } from './layout-graph.ts';
import { KindDrawing } from './step-icon.tsx';
import { groupOf } from './step-kinds.ts';
import classes from './workflows.module.css';

const node = { width: 34, height: 22, gapX: 26, gapY: 16 };

/** The graph in miniature. Positions are put on a small grid, so that far-flung graphs stay legible. */
export function GraphSketch({ sketch, label }: { sketch: WorkflowSummary['sketch']; label: string }) {
  const { steps, edges } = sketch;
  if (steps.length === 0) return <div className={classes.sketch} />;
  const laid = placesOf(sketch);
  // Rows come from the drawing where there is one: what its maker put above stays above.
  const rows = isPlaced(steps) ? ranks(steps.map((step) => step.position.y)) : null;
  const taken = new Set<string>();
  const at = new Map(
    steps.map((step) => {
      const place = laid.get(step.id) ?? { x: 0, y: 0 };
      let row = rows ? (rows.get(step.position.y) ?? 0) : place.y;
      // Steps that were drawn side by side may share a column here; none covers another.
      while (taken.has(`${place.x}/${row}`)) row += 1;
      taken.add(`${place.x}/${row}`);
      return [step.id, { x: place.x * (node.width + node.gapX), y: row * (node.height + node.gapY) }];
    }),
  );
  const width = Math.max(...[...at.values()].map(({ x }) => x)) + node.width;
  const height = Math.max(...[...at.values()].map(({ y }) => y)) + node.height;
  return (
    <svg className={classes.sketch} viewBox={`-8 -8 ${width + 16} ${height + 16}`} role="img" aria-label={label}>
      {edges.map(({ from, to }) => {
        const [a, b] = [at.get(from), at.get(to)];
        if (!a || !b) return null;
        const [x1, y1, x2, y2] = [a.x + node.width, a.y + node.height / 2, b.x, b.y + node.height / 2];
        const bend = Math.max(10, (x2 - x1) / 2);
        return (
          <path
            key={`${from}/${to}`}
            className={classes.sketchEdge}
            d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
          />
        );
      })}
      {steps.map((step) => {
        const place = at.get(step.id) ?? { x: 0, y: 0 };
        return (
          <g
            key={step.id}
            className={classes.sketchNode}
            data-group={groupOf(step.kind)}
            transform={`translate(${place.x} ${place.y})`}
          >
            <rect width={node.width} height={node.height} rx={6} />
            <KindDrawing kind={step.kind} x={(node.width - 14) / 2} y={(node.height - 14) / 2} width={14} height={14} />
          </g>
        );
      })}
    </svg>
  );
}

/** Positions within this distance are one row. */
const sameRow = 60;
function ranks(values: readonly number[]): Map<number, number> {
  const ranked = new Map<number, number>();
  let row = -1;
  let last = Number.NEGATIVE_INFINITY;
  for (const value of [...new Set(values)].sort((a, b) => a - b)) {
    if (value - last > sameRow) row += 1;
    last = value;
    ranked.set(value, row);
  }
  return ranked;
}
