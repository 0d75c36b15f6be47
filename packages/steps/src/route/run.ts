import { FileFaultError, readVariables, type VariableValues } from '@pdf2press/contract';
import { nameKey, namesIn, resolvePlaceholders } from '@pdf2press/settings';
import { openRules } from '../evaluate.ts';
import type { StepContext, StepYield } from '../step.ts';
import { stepFacts } from '../step-facts.ts';
import type { StepRunner } from '../step-runner.ts';
import { textOf } from '../text-of.ts';
import type { RouteRule, routeContract } from './contract.ts';

/**
 * Values with their placeholders filled in, each under its variable's own name.
 * @throws FileFaultError `SETTINGS_INVALID` when what a text became does not fit its variable
 */
async function overwritten(context: StepContext, values: VariableValues): Promise<VariableValues> {
  const texts = Object.values(values).filter((value) => typeof value === 'string');
  const { facts } = await stepFacts(context, texts.flatMap(namesIn));
  const entries = Object.entries(values).map(([name, value]): [string, VariableValues[string]] => {
    const variable = context.workflow.variables.find((each) => nameKey(each.name) === nameKey(name));
    const given = typeof value === 'string' ? resolvePlaceholders(value, facts, context.reader) : value;
    if (!variable) throw new FileFaultError('SETTINGS_INVALID', { field: `variables.${name}` });
    const read = readVariables([{ ...variable, default: null, isRequired: false }], { [name]: given });
    if (read.problems.length > 0) throw new FileFaultError('SETTINGS_INVALID', { field: `variables.${name}` });
    return [variable.name, read.values[variable.name] ?? null];
  });
  return Object.fromEntries(entries);
}

export const runRoute: StepRunner<typeof routeContract> = async (context) => {
  const { rules } = context.settings;
  const evaluate = await openRules(
    context,
    rules.map(({ when }) => when),
  );
  const looked: object[] = [];
  const first = rules.find((rule) => {
    const { verdict, table } = evaluate(rule.when);
    looked.push({ id: rule.id, name: rule.name, verdict, table });
    return verdict;
  });
  const shown: StepYield = {
    summary: { rules: looked, taken: first?.id ?? 'otherwise', action: first?.action ?? null },
  };
  return first ? follow(context, first, shown) : { end: 'outcome', outcome: 'otherwise', ...shown };
};

async function follow(context: StepContext, rule: RouteRule, shown: StepYield) {
  const on = { end: 'outcome', outcome: rule.id, ...shown } as const;
  switch (rule.action) {
    case 'continue':
      return on;
    case 'changeCommunication':
      return { ...on, decisions: { communicationProfileId: rule.profileId } };
    case 'overwriteVariables':
      return { ...on, variables: await overwritten(context, rule.variables) };
    case 'cancel':
      return {
        end: 'session',
        status: 'CanceledByOperator',
        ...shown,
        summary: { ...shown.summary, reason: await textOf(context, rule.reason) },
      } as const;
    case 'redirect':
      return {
        end: 'session',
        status: 'Rerouted',
        reroute: { workflowId: rule.workflowId, file: rule.file, carriesVariables: rule.carriesVariables },
        ...shown,
      } as const;
  }
}
