import type { WorkflowDefinition, WorkflowIssue, WorkflowStep } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import type { Deed } from './edit-history.ts';
import { kindLabel, kindWord, namedPort, portsOf } from './step-kinds.ts';

/** The words of the builder for steps, ports, issues and what was done, in the reader's language. */
export interface BuilderWords {
  /** What a step is called: by whoever made the workflow, else by its kind. */
  title(step: Pick<WorkflowStep, 'name' | 'kind'>): string;
  kind(kind: WorkflowStep['kind']): string;
  port(step: Pick<WorkflowStep, 'kind' | 'settings'>, outcome: string): string;
  issue(issue: Pick<WorkflowIssue, 'code' | 'params' | 'variable' | 'message'>): string;
  deed(deed: Deed): string;
  /** Where the ports of a step lead: "true to Impose; false to Fix". */
  ways(definition: WorkflowDefinition, step: WorkflowStep): string[];
}

export function useBuilderWords(): BuilderWords {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const kind: BuilderWords['kind'] = (of) => kindLabel(of, language);
  const title: BuilderWords['title'] = (step) => step.name || kind(step.kind);
  const port: BuilderWords['port'] = (step, outcome) => {
    const named = namedPort(step, outcome);
    if (named) return named.name || t('builder.rule', { number: named.number });
    return kindWord(step.kind, `outcomes.${outcome}`, language) ?? outcome;
  };
  return {
    kind,
    title,
    port,
    issue: ({ code, params, variable, message }) => message ?? t(code, { ...params, variable: variable ?? '' }),
    deed: ({ key, params = {} }) =>
      t(key, {
        ...params,
        ...(typeof params.kind === 'string' ? { kind: kind(params.kind as WorkflowStep['kind']) } : {}),
        ...(typeof params.deed === 'string' ? { deed: t(params.deed, { count: 1, kind: '' }) } : {}),
      }),
    ways: (definition, step) =>
      portsOf(step).flatMap((outcome) => {
        const edge = definition.edges.find((one) => one.from === step.id && one.outcome === outcome);
        const to = edge && definition.steps.find(({ id }) => id === edge.to);
        if (!to) return [];
        return portsOf(step).length === 1
          ? [t('workflows.goesTo', { step: title(to) })]
          : [t('workflows.leadsTo', { outcome: port(step, outcome), step: title(to) })];
      }),
  };
}
