import { outcomesOf, type SessionStep, type WorkflowDefinition } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { StatusIcon, stepLooks } from '../sessions/status.tsx';
import { stepTitle } from '../sessions/step-title.ts';
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
  const { steps, edges } = definition;
  const nameOf = (id: string) => {
    const step = steps.find((one) => one.id === id);
    return step ? stepTitle(step, t) : id;
  };
  return (
    <ol className={classes.stepList}>
      {inFlow(definition).map((step) => {
        const run = runs?.findLast((one) => one.stepId === step.id);
        const outcomes = outcomesOf(step);
        const ways = outcomes.flatMap((outcome) => {
          const edge = edges.find((one) => one.from === step.id && one.outcome === outcome);
          if (!edge) return [];
          // Where there is one way only, it needs no name.
          return outcomes.length === 1
            ? [t('workflows.goesTo', { step: nameOf(edge.to) })]
            : [
                t('workflows.leadsTo', {
                  outcome: t(`outcome.${outcome}`, { defaultValue: outcome }),
                  step: nameOf(edge.to),
                }),
              ];
        });
        return (
          <li key={step.id}>
            {run && <StatusIcon look={stepLooks[run.status]} size={16} isRunning={run.status === 'Running'} />}
            <span>
              <strong>{stepTitle(step, t)}</strong>
              {run && ` (${t(`stepStatus.${run.status}`)})`}
              {ways.length > 0 && `: ${ways.join('; ')}`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
