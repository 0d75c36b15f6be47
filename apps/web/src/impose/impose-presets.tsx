import { Button, Group, Text } from '@mantine/core';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { confirm } from '../frame/confirm.ts';
import type { ProfileValues } from '../profiles/use-profile-form.ts';
import { imposePresetNames, presetSettings } from './presets.ts';

/** Settings to begin with. They replace what is set; name and description stay. */
export function ImposePresets({ form }: { form: UseFormReturn<ProfileValues> }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {t('impose.presets')}
      </Text>
      <Group gap={6}>
        {imposePresetNames.map((name) => (
          <Button
            key={name}
            variant="default"
            size="compact-sm"
            onClick={async () => {
              const label = t(`impose.preset.${name}`);
              const isSure =
                !form.formState.dirtyFields.settings ||
                (await confirm({
                  title: t('impose.presetTitle', { name: label }),
                  text: t('impose.presetText'),
                  act: t('impose.presetTake'),
                }));
              if (isSure) form.setValue('settings', presetSettings(name), { shouldDirty: true });
            }}
          >
            {t(`impose.preset.${name}`)}
          </Button>
        ))}
      </Group>
    </div>
  );
}
