import { Badge, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';

/** Marks a value that differs from the preset; the tooltip shows the value of the preset. */
export function ChangedBadge({
  value,
  sayOption,
  isLength,
}: {
  value: unknown;
  sayOption: (value: string) => string;
  isLength: boolean;
}) {
  const { t } = useTranslation();
  const [unit] = useUnit();
  const say = (one: unknown): string => {
    if (one === null || one === undefined || one === '') return '–';
    if (typeof one === 'boolean') return t(one ? 'common.yes' : 'common.no');
    if (typeof one === 'number') return isLength ? formatPoints(one, unit) : formatNumber(one);
    if (Array.isArray(one)) return one.map(say).join(', ') || '–';
    return typeof one === 'string' ? sayOption(one) : '…';
  };
  return (
    <Tooltip label={t('preflight.presetValue', { value: say(value) })}>
      <Badge component="span" size="xs" variant="light" color="info" tt="none" fw={500}>
        {t('preflight.changed')}
      </Badge>
    </Tooltip>
  );
}
