import type { SessionStep, WorkflowDefinition } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { stepText } from '../sessions/finding-totals.tsx';
import { StatusIcon, stepLook } from '../sessions/status.tsx';
import { stepTitle } from '../sessions/step-title.ts';
import { useBuilderWords } from './builder-words.ts';
import { inFlow } from './layout-graph.ts';
import classes from './workflows.module.css';

/** The same workflow as an ordered list: for small screens and for those who hear it. */
export function StepList({
  definition,
  runs,
}: {
  definition: WorkflowDefinition;
  runs?: readonly SessionStep[] | undefined;
}) {
  const { t } = useTranslation();
  const words = useBuilderWords();
  return (
    <ol className={classes.stepList}>
      {inFlow(definition).map((step) => {
        const run = runs?.findLast((one) => one.stepId === step.id);
        const ways = words.ways(definition, step);
        return (
          <li key={step.id}>
            {run && <StatusIcon look={stepLook(run)} size={16} isRunning={run.status === 'Running'} />}
            <span>
              <strong>{stepTitle(step, t)}</strong>
              {run && ` (${stepText(run, t)})`}
              {ways.length > 0 && `: ${ways.join('; ')}`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
