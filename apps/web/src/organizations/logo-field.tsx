import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import { formatBytes, mostLogoBytes } from '@pdf2press/contract';
import { organizationRoutes } from '@pdf2press/contract/calls';
import { IconPhoto } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendForm } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import classes from './organizations.module.css';

interface Props {
  label: string;
  help: string;
  /** The name of a logo that the server has drawn. */
  value: string | null;
  onChange: (logo: string | null) => void;
  isFixed: boolean;
}

/** A logo: the chosen picture is drawn anew by the server at once, so that what is shown is what will be used. */
export function LogoField({ label, help, value, onChange, isFixed }: Props) {
  const { t } = useTranslation();
  const name = useId();
  const [fault, setFault] = useState<string | null>(null);
  const draw = useMutation({
    mutationFn: (picture: File) => {
      const form = new FormData();
      form.append('file', picture);
      return sendForm(organizationRoutes.drawLogo, form);
    },
    onSuccess: ({ logo }) => onChange(logo),
    onError: (error) => setFault(failureText(error, t)),
  });
  const take = (file: File | null) => {
    setFault(null);
    if (!file) return;
    if (file.size > mostLogoBytes) setFault(t('file.tooLarge', { limit: formatBytes(mostLogoBytes) }));
    else draw.mutate(file);
  };
  return (
    <Input.Wrapper label={label} description={help} error={fault} labelElement="div" labelProps={{ id: name }}>
      {value !== null && (
        <div className={classes.logoBox}>
          <img src={`/api/logos/${value}`} alt={label} />
        </div>
      )}
      <Group gap="xs" mt={8} role="group" aria-labelledby={name}>
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={take} disabled={isFixed}>
          {(props) => (
            <Button
              variant="default"
              size="xs"
              h="auto"
              mih={30}
              styles={{ label: { whiteSpace: 'normal' } }}
              loading={draw.isPending}
              leftSection={<IconPhoto size={16} aria-hidden />}
              {...props}
            >
              {t('ui.chooseFile')}
            </Button>
          )}
        </FileButton>
        {value !== null && !isFixed && (
          <Button variant="subtle" color="neutral" size="xs" onClick={() => onChange(null)}>
            {t('ui.remove')}
          </Button>
        )}
        {value === null && (
          <Text size="sm" c="dimmed">
            {t('organizations.noLogo')}
          </Text>
        )}
      </Group>
    </Input.Wrapper>
  );
}
