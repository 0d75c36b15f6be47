import { Text } from '@mantine/core';
import type { CheckKey } from '@pdf2press/preflight/contracts';
import type { FieldShape } from '@pdf2press/ui';
import { type Control, type FieldValues, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';
import { limitsOf, severitiesOf } from './check-limits.ts';
import type { CheckWords } from './check-words.ts';
import classes from './preflight.module.css';

interface Props {
  checkKey: CheckKey;
  shape: FieldShape | undefined;
  /** Path of the check in the form. */
  name: string;
  control: Control<FieldValues>;
  words: CheckWords;
}

/** What a closed check says of itself: how severe it is, and its first limits. */
export function CheckSummary({ checkKey, shape, name, control, words }: Props) {
  const { t } = useTranslation();
  const [unit] = useUnit();
  const check = useWatch({ control, name }) as Parameters<typeof severitiesOf>[1] | undefined;
  if (!check) return null;
  const limits = shape ? limitsOf(shape, check.settings) : [];
  const said = limits.map(({ path, value, unit: of }) => {
    const amount = of === 'length' ? formatPoints(value, unit) : `${formatNumber(value)}${suffixes[of ?? ''] ?? ''}`;
    const group = path.includes('.') ? `${words.label(path.slice(0, path.lastIndexOf('.')))}, ` : '';
    return `${group}${words.label(path)} ${amount}`;
  });
  const severities = severitiesOf(checkKey, check);
  return (
    <Text size="sm" c="dimmed" className={classes.summary} title={[words.about, ...said].filter(Boolean).join('\n')}>
      {severities.map((severity) => (
        <span key={severity} data-severity={severity}>
          {`${t(`severity.${severity}`)} `}
        </span>
      ))}
      {said.length > 0 ? said.join(' · ') : words.about}
    </Text>
  );
}

/** Written the same in every language. */
const suffixes: Record<string, string> = { ppi: ' ppi', dpi: ' dpi', percent: ' %', points: ' pt' };
