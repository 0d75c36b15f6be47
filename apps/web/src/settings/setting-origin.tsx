import { Badge, Button, Group, VisuallyHidden } from '@mantine/core';
import type { SystemSettings } from '@pdf2press/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { baseOf, originOf, type SettingPath, settingTable } from './setting-table.ts';
import { useSayValue } from './setting-value.ts';

const colours = { default: 'neutral', installation: 'info', own: 'brand' } as const;

/** Where the value of a field comes from, and the way back to what holds without it. */
export function SettingOrigin({ name }: { name: SettingPath }) {
  const { t } = useTranslation();
  const say = useSayValue();
  const { control, setValue } = useFormContext<SystemSettings>();
  const installation = useWatch({ control, name: 'installation' });
  const origin = originOf(name, useWatch({ control, name }), installation);
  const value = baseOf(name, installation);
  const { label, ofInstallation } = settingTable[name];
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const act = isEmpty ? t(ofInstallation ?? 'settings.clear') : t('settings.resetTo', { value: say(name, value) });
  return (
    <Group gap="xs" mt={4} mih={24}>
      <Badge size="xs" variant="light" color={colours[origin]} tt="none" fw={500}>
        {t(`settings.origin.${origin}`)}
      </Badge>
      {origin === 'own' && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setValue(name, value as never, { shouldDirty: true, shouldTouch: true, shouldValidate: true })}
        >
          {act}
          <VisuallyHidden> – {t(label)}</VisuallyHidden>
        </Button>
      )}
    </Group>
  );
}
