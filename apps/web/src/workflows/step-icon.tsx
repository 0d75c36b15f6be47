import type { StepKind } from '@pdf2press/contract';
import type { SVGProps } from 'react';
import { groupOf, iconOf } from './step-kinds.ts';
import classes from './workflows.module.css';

/** The line drawing of a kind. */
export function KindDrawing({ kind, ...svg }: { kind: StepKind } & SVGProps<SVGSVGElement>) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      {...svg}
    >
      <path d={iconOf(kind)} />
    </svg>
  );
}

/** The drawing of a kind in the colour of its group; the name stands beside it. */
export function StepIcon({ kind, size = 18 }: { kind: StepKind; size?: number }) {
  return (
    <span className={classes.nodeIcon} data-group={groupOf(kind)}>
      <KindDrawing kind={kind} width={size} height={size} />
    </span>
  );
}
