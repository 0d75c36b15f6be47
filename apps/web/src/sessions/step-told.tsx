import type { SessionStep } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import { kindWord, toldBy } from '../workflows/step-kinds.ts';

/** What a step decided, in the words of its settings: each kind says which of them its summary holds. */
export function StepTold({ step: { kind, summary } }: { step: SessionStep }) {
  const { t, i18n } = useTranslation();
  const word = (key: string) => kindWord(kind, `settings.${key}`, i18n.language);
  const shown = (key: string, value: unknown): string => {
    if (typeof value === 'number') return formatNumber(value);
    if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
    return word(`${key}.${value}`) ?? String(value);
  };
  const told = toldBy(kind).flatMap((key) => {
    const value = summary[key];
    return value === undefined || value === '' ? [] : [{ key, label: word(key) ?? key, text: shown(key, value) }];
  });
  if (told.length === 0) return null;
  return (
    <dl>
      {told.map(({ key, label, text }) => (
        <div key={key} style={{ display: 'contents' }}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
