import { ColorInput, FileInput, Group, Image, SimpleGrid, Stack } from '@mantine/core';
import { formatBytes, type SystemSettings } from '@pdf2press/contract';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../frame/section-card.tsx';
import { TextField } from './setting-fields.tsx';
import { SettingOrigin } from './setting-origin.tsx';

/** Bytes of a logo; the stored text is a third longer. */
const mostBytes = 300 * 1024;

/** How the house shows itself on reports and certificates. */
export function HouseSettings() {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  return (
    <SectionCard title={t('settings.house')} text={t('settings.houseText')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField name="houseSettings.name" help={t('settings.houseNameText')} />
        <div>
          <Controller
            control={control}
            name="houseSettings.color"
            render={({ field, fieldState }) => (
              <ColorInput
                label={t('settings.houseColor')}
                description={t('settings.houseColorText')}
                format="hex"
                withEyeDropper={false}
                error={fieldState.error?.message}
                {...field}
              />
            )}
          />
          <SettingOrigin name="houseSettings.color" />
        </div>
        <div>
          <Controller
            control={control}
            name="houseSettings.logo"
            render={({ field: { value, onChange } }) => <LogoField value={value} onChange={onChange} />}
          />
          <SettingOrigin name="houseSettings.logo" />
        </div>
      </SimpleGrid>
    </SectionCard>
  );
}

function LogoField({ value, onChange }: { value: string; onChange: (logo: string) => void }) {
  const { t } = useTranslation();
  const [fault, setFault] = useState<string | null>(null);
  const take = async (file: File | null) => {
    setFault(null);
    if (file === null) return onChange('');
    if (file.size > mostBytes) return setFault(t('ui.fileTooLarge', { size: formatBytes(mostBytes) }));
    const logo = await pictureOf(file);
    if (logo === null) return setFault(t('settings.notAPicture'));
    onChange(logo);
  };
  return (
    <Stack gap="xs">
      <FileInput
        label={t('settings.houseLogo')}
        description={t('settings.houseLogoText')}
        accept="image/png,image/jpeg"
        placeholder={t('ui.chooseFile')}
        leftSection={<IconPhoto size={16} aria-hidden />}
        clearable
        clearButtonProps={{ 'aria-label': t('ui.remove') }}
        error={fault}
        // Stands for the stored picture, which is shown below.
        value={value === '' ? null : new File([], t('settings.houseLogo'))}
        onChange={(file) => void take(file)}
      />
      {value !== '' && (
        <Group p="xs" bg="white" style={{ borderRadius: 4, alignSelf: 'flex-start' }}>
          <Image src={value} alt={t('settings.houseLogo')} h={48} w="auto" fit="contain" />
        </Group>
      )}
    </Stack>
  );
}

/** A file as a data address; null when the browser cannot show it as a picture. */
async function pictureOf(file: File): Promise<string | null> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(file);
  });
  const picture = document.createElement('img');
  picture.src = address;
  return picture.decode().then(
    () => address,
    () => null,
  );
}
