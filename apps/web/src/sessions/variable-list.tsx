import type { VariableValues } from '@pdf2press/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './session.module.css';
import { shownValue } from './shown-value.ts';

interface Props {
  variables: VariableValues;
  /** Shown after a value. */
  note?: (name: string) => ReactNode;
}

/** Names of variables with their values. */
export function VariableList({ variables, note }: Props) {
  const { t } = useTranslation();
  return (
    <dl className={classes.variables}>
      {Object.entries(variables).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {shownValue(t, value)} {note?.(name)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
