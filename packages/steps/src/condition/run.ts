import { openRules } from '../evaluate.ts';
import type { StepRunner } from '../step-runner.ts';
import type { conditionContract } from './contract.ts';

export const runCondition: StepRunner<typeof conditionContract> = async (context) => {
  const { when } = context.settings;
  const evaluate = await openRules(context, [when]);
  const { verdict, table } = evaluate(when);
  return { end: 'outcome', outcome: verdict ? 'true' : 'false', summary: { verdict, table } };
};
