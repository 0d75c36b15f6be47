import { Alert, Anchor, Button, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type ReleaseWatch, type RouteResult, releaseWatchSchema, type routes } from '@pdf2press/contract';
import { releaseRoutes } from '@pdf2press/contract/calls';
import { IconAlertTriangle, IconCircleCheck, IconRefresh, IconSparkles } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { keyOf, queries, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { FormFrame } from '../frame/form-frame.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';

type Releases = RouteResult<typeof routes.releases.get>;

const store = (saved: Releases) => queries.setQueryData(keyOf(releaseRoutes.get), saved);

/** Which version runs, whether a newer one is out, and whether the installation asks for that by itself. */
export function ReleasesScreen() {
  const { t } = useTranslation();
  const query = useCall(releaseRoutes.get);
  const look = useMutation({
    mutationFn: () => call(releaseRoutes.look, {}),
    onSuccess: store,
    onError: notify.failure,
  });
  return (
    <Screen
      title={t('nav.releases')}
      state={stateOf(query)}
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={17} />}
          loading={look.isPending}
          onClick={() => look.mutate()}
        >
          {t('releases.look')}
        </Button>
      }
    >
      {query.data && <WatchForm releases={query.data} />}
    </Screen>
  );
}

function WatchForm({ releases }: { releases: Releases }) {
  const { t } = useTranslation();
  const form = useSchemaForm(releaseWatchSchema, {
    values: releases.watch,
    mode: 'onTouched',
    resetOptions: { keepDirtyValues: true },
  });
  const save = useMutation({
    mutationFn: (body: ReleaseWatch) => call(releaseRoutes.save, { body }),
    onSuccess: (saved) => {
      store(saved);
      form.reset(saved.watch);
      notify.success(t('common.saved'));
    },
  });
  const { control, register, formState } = form;
  return (
    <FormFrame
      back="/"
      isDirty={formState.isDirty}
      isSaving={save.isPending}
      error={save.error}
      errors={formState.errors}
      onSubmit={() => void form.handleSubmit((body) => save.mutate(body))()}
      isAsideOpen
      aside={<Versions releases={releases} />}
    >
      {releases.message && (
        <Alert color="error" variant="light" icon={<IconAlertTriangle size={20} />} title={t('releases.failed')}>
          <Text size="sm">{releases.message}</Text>
        </Alert>
      )}
      <SectionCard title={t('releases.ask')} text={t('releases.askText')}>
        <Stack>
          <Controller
            control={control}
            name="isOn"
            render={({ field: { value = false, ...field } }) => (
              <Switch label={t('releases.isOn')} description={t('releases.sendsNothing')} checked={value} {...field} />
            )}
          />
          <TextInput
            type="url"
            label={t('releases.address')}
            description={t(releases.usualAddress === null ? 'releases.addressText' : 'releases.addressUsualText')}
            placeholder={releases.usualAddress ?? 'https://'}
            error={formState.errors.address?.message}
            {...register('address')}
          />
        </Stack>
      </SectionCard>
    </FormFrame>
  );
}

function Versions({ releases: { version, newest, isNewer, askedAt } }: { releases: Releases }) {
  const { t } = useTranslation();
  return (
    <SectionCard title={t('releases.runs', { version })}>
      <Stack gap="xs">
        {newest && isNewer && (
          <Alert
            color="accent"
            variant="light"
            icon={<IconSparkles size={20} />}
            title={t('releases.newer', { version: newest.version })}
          >
            <Text size="sm">{t('releases.whatToDo')}</Text>
            {newest.page && (
              <Anchor size="sm" href={newest.page} target="_blank" rel="noreferrer noopener">
                {t('releases.page')}
              </Anchor>
            )}
          </Alert>
        )}
        {newest && !isNewer && (
          <Text>
            <IconCircleCheck size={17} aria-hidden style={{ verticalAlign: 'text-bottom' }} /> {t('releases.none')}
          </Text>
        )}
        <Text size="sm" c="dimmed" component="div">
          {askedAt ? (
            <>
              {t('releases.askedAt')} <Ago at={askedAt} />
            </>
          ) : (
            t('releases.neverAsked')
          )}
        </Text>
      </Stack>
    </SectionCard>
  );
}
