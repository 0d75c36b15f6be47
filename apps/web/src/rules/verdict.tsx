import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatPoints, formatSize, formatTime } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';
import type { Evaluation } from './rule-surroundings.ts';
import classes from './rules.module.css';
import { useOptionWords } from './use-option-words.ts';

type Row = Evaluation['table'][number];

/** Whether a rule or a group holds, in a word and a sign. */
export function Verdict({ isTrue, children }: { isTrue: boolean; children?: ReactNode }) {
  const { t } = useTranslation();
  const Icon = isTrue ? IconCircleCheck : IconCircleX;
  return (
    <span className={classes.verdict} data-verdict={isTrue}>
      <Icon size={15} aria-hidden />
      <b>{t(isTrue ? 'rules.true' : 'rules.false')}</b>
      {children && <span>{children}</span>}
    </span>
  );
}

/** A value of a fact as a person reads it, by its type. */
export function useShownFact(): (type: Row['type'], value: Row['actual']) => string {
  const { t } = useTranslation();
  const [unit] = useUnit();
  const optionWords = useOptionWords();
  return (type, value) => {
    if (value === null) return '–';
    if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
    if (Array.isArray(value)) return value.join(', ') || '–';
    if (typeof value === 'number') {
      if (type === 'Length') return formatPoints(value, unit);
      return type === 'Bytes' ? formatSize(value) : formatNumber(value);
    }
    if (type === 'Choice') return optionWords(value);
    return type === 'Date' && value.length > 10 ? formatTime(value) : value;
  };
}
