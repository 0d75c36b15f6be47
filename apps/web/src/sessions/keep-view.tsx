import { Button, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmarkPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './sessions.module.css';

/** Keeps what is asked now under a name; a name that is there takes the new question. */
export function KeepView({ question }: { question: string }) {
  const { t } = useTranslation();
  const [isOpen, popover] = useDisclosure();
  const [name, setName] = useState('');
  const own = usePreferences((preferences) => preferences.sessionViews);
  const keep = (event: FormEvent) => {
    event.preventDefault();
    const given = name.trim();
    if (!given) return;
    setPreferences({ sessionViews: [...own.filter((view) => view.name !== given), { name: given, question }] });
    popover.close();
  };
  return (
    <Popover opened={isOpen} onChange={popover.toggle} position="bottom-start" trapFocus width={260} withinPortal>
      <Popover.Target>
        <Button
          variant="subtle"
          size="compact-md"
          className={classes.keep}
          leftSection={<IconBookmarkPlus size={16} aria-hidden />}
          onClick={popover.toggle}
        >
          {t('sessions.keepView')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('sessions.keepView')}>
        <form onSubmit={keep}>
          <Stack gap="xs">
            <TextInput
              label={t('field.name')}
              value={name}
              maxLength={40}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" disabled={!name.trim()}>
              {t('common.save')}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
