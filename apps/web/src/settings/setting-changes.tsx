import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { partNameOf, type SettingChange, settingTable } from './setting-table.ts';
import { useSayValue } from './setting-value.ts';

/** What saving changes: each field with what it was and what it becomes. */
export function SettingChanges({ changes }: { changes: readonly SettingChange[] }) {
  const { t } = useTranslation();
  const say = useSayValue();
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none', overflowWrap: 'anywhere' }}>
      {changes.map(({ path, values }) => (
        <li key={path}>
          <Text size="sm" c="dimmed">
            {t(partNameOf(path))}
          </Text>
          <Text fw={500}>{t(settingTable[path].label)}</Text>
          {values ? (
            <Text>
              <del>{say(path, values.before)}</del> → <ins>{say(path, values.after)}</ins>
            </Text>
          ) : (
            <Text>{t('settings.hiddenChange')}</Text>
          )}
        </li>
      ))}
    </Stack>
  );
}
