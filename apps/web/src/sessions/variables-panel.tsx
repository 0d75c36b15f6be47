import { Text } from '@mantine/core';
import type { VariableValues } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import classes from './session.module.css';

export function VariablesPanel({ variables }: { variables: VariableValues }) {
  const { t } = useTranslation();
  const entries = Object.entries(variables);
  if (entries.length === 0) return <Text c="dimmed">{t('session.noVariables')}</Text>;
  const shown = (value: VariableValues[string]) =>
    value === null ? '–' : typeof value === 'boolean' ? t(value ? 'common.yes' : 'common.no') : String(value);
  return (
    <dl className={classes.variables}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
