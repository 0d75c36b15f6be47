import type { WorkflowDefinition, WorkflowIssue, WorkflowStep } from '@pdf2press/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Deed } from './edit-history.ts';
import { edgesFrom, stepsById } from './graph-index.ts';
import { kindLabel, kindWord, namedPort, portsOf } from './step-kinds.ts';

type Issue = Pick<WorkflowIssue, 'code' | 'params' | 'variable' | 'message'>;

/** The words of the builder for steps, ports, issues and what was done, in the reader's language. */
export interface BuilderWords {
  /** What a step is called: by whoever made the workflow, else by its kind. */
  title(step: Pick<WorkflowStep, 'name' | 'kind'>): string;
  kind(kind: WorkflowStep['kind']): string;
  port(step: Pick<WorkflowStep, 'kind' | 'settings'>, outcome: string): string;
  issue(issue: Issue): string;
  /** An issue as it is told away from its field: what is wrong with a value says of which setting. */
  toldOf(issue: Issue & Pick<WorkflowIssue, 'field'>, kind: WorkflowStep['kind'] | undefined): string;
  deed(deed: Deed): string;
  /** Where the ports of a step lead: "true to Impose; false to Fix". */
  ways(definition: WorkflowDefinition, step: WorkflowStep): string[];
}

/** The same words until the language changes. */
export function useBuilderWords(): BuilderWords {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(() => wordsIn(t, language), [t, language]);
}

function wordsIn(t: TFunction, language: string): BuilderWords {
  const kind: BuilderWords['kind'] = (of) => kindLabel(of, language);
  const title: BuilderWords['title'] = (step) => step.name || kind(step.kind);
  const port: BuilderWords['port'] = (step, outcome) => {
    const named = namedPort(step, outcome);
    const word = named?.name || kindWord(step.kind, `outcomes.${outcome}`, language);
    return word ?? (named ? t('builder.rule', { number: named.number }) : outcome);
  };
  const issue: BuilderWords['issue'] = ({ code, params, variable, message }) =>
    message ?? t(code, { ...params, variable: variable ?? '' });
  return {
    kind,
    title,
    port,
    issue,
    toldOf: (one, of) => {
      // The numbers of rows are no part of a setting's words.
      const setting = one.code.startsWith('value.') && one.field?.replace(/\.\d+(?=\.|$)/g, '');
      const label = setting && of && kindWord(of, `settings.${setting}`, language);
      return label ? t('builder.settingIssue', { setting: label, issue: issue(one) }) : issue(one);
    },
    deed: ({ key, params = {} }) =>
      t(key, {
        ...params,
        ...(typeof params.kind === 'string' ? { kind: kind(params.kind as WorkflowStep['kind']) } : {}),
        ...(typeof params.deed === 'string' ? { deed: t(params.deed, { count: 1, kind: '' }) } : {}),
      }),
    ways: (definition, step) =>
      portsOf(step).flatMap((outcome) => {
        const edge = edgesFrom(definition.edges)
          .get(step.id)
          ?.find((one) => one.outcome === outcome);
        const to = edge && stepsById(definition.steps).get(edge.to);
        if (!to) return [];
        return portsOf(step).length === 1
          ? [t('workflows.goesTo', { step: title(to) })]
          : [t('workflows.leadsTo', { outcome: port(step, outcome), step: title(to) })];
      }),
  };
}
