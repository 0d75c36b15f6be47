import { Button, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmarkPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './sessions.module.css';

/** The name of a view. */
const asked = z.object({ name: z.string().trim().min(1).max(40) });

/** Saves the current filters under a name; an existing view of that name is replaced. */
export function KeepView({ question }: { question: string }) {
  const { t } = useTranslation();
  const [isOpen, popover] = useDisclosure();
  const { register, handleSubmit, formState, reset } = useSchemaForm(asked, { defaultValues: { name: '' } });
  const own = usePreferences((preferences) => preferences.sessionViews);
  const keep = ({ name }: z.output<typeof asked>) => {
    setPreferences({ sessionViews: [...own.filter((view) => view.name !== name), { name, question }] });
    reset();
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
        <form noValidate onSubmit={(event) => void handleSubmit(keep)(event)}>
          <Stack gap="xs">
            <TextInput label={t('field.name')} error={formState.errors.name?.message} {...register('name')} />
            <Button type="submit">{t('common.save')}</Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
