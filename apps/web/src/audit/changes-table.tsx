import { Text } from '@mantine/core';
import type { AuditEntry } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatTime } from '../language/formats.ts';
import classes from './audit.module.css';
import { changesOf } from './changes.ts';

type Names = Readonly<Record<string, string>>;

/** What an entry changed, field by field, and where it came from. */
export function Changes({ entry, names }: { entry: AuditEntry; names: Names }) {
  const { t } = useTranslation();
  const { no, at, ip, object, actor } = entry;
  const changes = changesOf(entry);
  return (
    <div className={classes.changes}>
      {changes.length > 0 && (
        <table aria-label={t('audit.changes')}>
          <thead>
            <tr>
              <th>{t('audit.field')}</th>
              <th>{t('audit.before')}</th>
              <th>{t('audit.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after, unchanged }) => (
              <tr key={field}>
                <th scope="row">
                  {field}
                  {unchanged > 0 && (
                    <div className={classes.below}>
                      {t('audit.unchanged', { count: unchanged, shown: formatNumber(unchanged) })}
                    </div>
                  )}
                </th>
                <td>
                  <Value value={before} names={names} />
                </td>
                <td>
                  <Value value={after} names={names} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Text size="sm" c="dimmed">
        {t('audit.entry', { no: formatNumber(no), at: formatTime(at, 'long') })}
        {ip && ` · ${t('audit.ip', { ip })}`}
      </Text>
      <Text size="sm" c="dimmed" className={classes.id}>
        {[actor.id, object.id].filter(Boolean).join(' → ')}
      </Text>
    </div>
  );
}

/** A value as a person reads it; ids by the name of what they belong to. */
function Value({ value, names }: { value: unknown; names: Names }) {
  const { t } = useTranslation();
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return <span className={classes.below}>–</span>;
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return names[value] ?? value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.map((item: string) => names[item] ?? item).join(', ');
  return <code>{JSON.stringify(value)}</code>;
}
