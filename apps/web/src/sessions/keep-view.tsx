import { Button, NativeSelect, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { discussionRoutes, sessionViewRoutes } from '@pdf2press/contract/calls';
import { IconBookmarkPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import classes from './sessions.module.css';

const asked = z.object({
  name: z.string().trim().min(1).max(40),
  sharedWith: z.string().max(60),
});

/** Saves the current filters under a name; an existing view of that name is replaced. */
export function KeepView({ question }: { question: string }) {
  const { t } = useTranslation();
  const [isOpen, popover] = useDisclosure();
  const { register, handleSubmit, formState, reset } = useSchemaForm(asked, {
    defaultValues: { name: '', sharedWith: 'nobody' },
  });
  const mayShare = useMay()('sessions.discuss');
  const team = useCall(discussionRoutes.team, undefined, {
    enabled: mayShare && isOpen,
    staleTime: 60_000,
  });
  const keep = async ({ name, sharedWith }: z.output<typeof asked>) => {
    try {
      const body = {
        name,
        question,
        sharedWith: sharedWith === 'nobody' ? null : sharedWith,
      };
      await call(sessionViewRoutes.save, { body });
      await invalidate(sessionViewRoutes.list);
      reset();
      popover.close();
    } catch (error) {
      notify.failure(error);
    }
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
            {mayShare && (
              <NativeSelect
                label={t('sessions.shareWith')}
                data={[
                  { value: 'nobody', label: t('sessions.share.nobody') },
                  { value: 'everybody', label: t('sessions.share.everybody') },
                  ...(team.data ?? [])
                    .filter(({ kind }) => kind === 'role')
                    .map(({ id, name }) => ({
                      value: id,
                      label: t('sessions.share.role', { name }),
                    })),
                ]}
                {...register('sharedWith')}
              />
            )}
            <Button type="submit" loading={formState.isSubmitting}>
              {t('common.save')}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
