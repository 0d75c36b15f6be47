import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAssignees } from '../rules/assignees.ts';
import classes from './builder.module.css';
import { useBuilderWords } from './builder-words.ts';
import { useProfileNames } from './profile-names.ts';
import { wordsOfKind } from './step-settings.tsx';
import type { Difference } from './workflow-differences.ts';

/** What differs between two states of a workflow, a line for each. Steps that were only moved are counted. */
export function DifferencesList({ differences }: { differences: readonly Difference[] }) {
  const { t } = useTranslation();
  const say = useSayDifference();
  const moved = differences.filter(({ kind }) => kind === 'stepMoved').length;
  const others = differences.filter(({ kind }) => kind !== 'stepMoved');
  if (differences.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('builder.noDifference')}
      </Text>
    );
  return (
    <ul className={classes.differences}>
      {others.map((difference) => {
        const line = say(difference);
        return <li key={line}>{line}</li>;
      })}
      {moved > 0 && <li>{t('builder.difference.moved', { count: moved })}</li>}
    </ul>
  );
}

const isUnset = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether a line can hold the value: rules, lists of groups and the like are too long for it. */
const isTold = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((one) => typeof one !== 'object') : value === null || typeof value !== 'object';

function useSayDifference(): (difference: Difference) => string {
  const { t, i18n } = useTranslation();
  const words = useBuilderWords();
  const profileName = useProfileNames();
  const assignees = new Map(useAssignees().flatMap(({ items }) => items.map(({ value, label }) => [value, label])));
  return (difference) => {
    switch (difference.kind) {
      case 'nameChanged':
        return t('builder.difference.name', { before: difference.before, after: difference.after });
      case 'communicationChanged': {
        const named = (id: string | undefined) => profileName(id) ?? id ?? t('builder.difference.none');
        return t('builder.difference.communication', {
          before: named(difference.before),
          after: named(difference.after),
        });
      }
      case 'settingChanged': {
        const { step, setting, before, after } = difference;
        const { label, option } = wordsOfKind(step.kind, i18n.language);
        const said = { step: words.title(step), setting: label(setting) };
        const value = (one: unknown): string => {
          if (isUnset(one)) return t('builder.difference.none');
          if (typeof one === 'boolean') return t(one ? 'common.yes' : 'common.no');
          if (Array.isArray(one)) return one.map(value).join(', ');
          return profileName(one) ?? assignees.get(String(one)) ?? option(setting, String(one));
        };
        return isTold(before) && isTold(after)
          ? t('builder.difference.setting', { ...said, before: value(before), after: value(after) })
          : t('builder.difference.rewritten', said);
      }
      case 'stepRenamed':
        return t('builder.difference.stepRenamed', {
          before: words.title(difference.before),
          after: words.title(difference.step),
        });
      case 'connectionAdded':
      case 'connectionRemoved':
        return t(`builder.difference.${difference.kind}`, {
          from: words.title(difference.from),
          outcome: words.port(difference.from, difference.outcome),
          to: words.title(difference.to),
        });
      case 'variableAdded':
      case 'variableRemoved':
      case 'variableChanged':
        return t(`builder.difference.${difference.kind}`, { name: difference.variable.name });
      default:
        return t(`builder.difference.${difference.kind}`, { step: words.title(difference.step) });
    }
  };
}
