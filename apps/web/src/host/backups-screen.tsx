import { Alert, Button, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type BackupSchedule, backupScheduleSchema, type RouteResult, type routes } from '@pdf2press/contract';
import { backupRoutes } from '@pdf2press/contract/calls';
import { NumberField } from '@pdf2press/ui';
import { IconAlertTriangle, IconDatabaseExport } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { keyOf, queries, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { FormFrame } from '../frame/form-frame.tsx';
import { ListRows } from '../frame/list-rows.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { formatSize, formatTime } from '../language/formats.ts';

type Backups = RouteResult<typeof routes.backups.get>;

const store = (saved: Backups) => queries.setQueryData(keyOf(backupRoutes.get), saved);
const isRunning = ({ run, isAsked }: Backups): boolean => isAsked || (run !== null && run.endedAt === null);
/** How often the page looks while a backup is made, milliseconds. */
const lookPeriod = 5_000;

/** When backups of the installation are made, how the last one ended, and which are kept. */
export function BackupsScreen() {
  const { t } = useTranslation();
  const query = useCall(backupRoutes.get, undefined, {
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? lookPeriod : false),
  });
  const ask = useMutation({ mutationFn: () => call(backupRoutes.ask, {}), onSuccess: store, onError: notify.failure });
  return (
    <Screen
      title={t('nav.backups')}
      state={stateOf(query)}
      actions={
        <Button
          variant="default"
          leftSection={<IconDatabaseExport size={17} />}
          loading={ask.isPending || (query.data ? isRunning(query.data) : false)}
          onClick={() => ask.mutate()}
        >
          {t('backups.now')}
        </Button>
      }
    >
      {query.data && <ScheduleForm backups={query.data} />}
    </Screen>
  );
}

function ScheduleForm({ backups }: { backups: Backups }) {
  const { t } = useTranslation();
  const form = useSchemaForm(backupScheduleSchema, {
    values: backups.schedule,
    mode: 'onTouched',
    resetOptions: { keepDirtyValues: true },
  });
  const save = useMutation({
    mutationFn: (body: BackupSchedule) => call(backupRoutes.schedule, { body }),
    onSuccess: (saved) => {
      store(saved);
      form.reset(saved.schedule);
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
      aside={<Kept backups={backups} />}
    >
      <LastRun run={backups.run} />
      <SectionCard title={t('backups.schedule')} text={t('backups.scheduleText')}>
        <Stack>
          <Controller
            control={control}
            name="isOn"
            render={({ field: { value = false, ...field } }) => (
              <Switch label={t('backups.isOn')} checked={value} {...field} />
            )}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              type="time"
              label={t('backups.time')}
              description={t('backups.timeText', { zone: backups.timeZone })}
              error={formState.errors.time?.message}
              {...register('time')}
            />
            <Controller
              control={control}
              name="keep"
              render={({ field: { value, onChange }, fieldState }) => (
                <NumberField
                  label={t('backups.keep')}
                  description={t('backups.keepText')}
                  value={value ?? 1}
                  onChange={(given) => onChange(given ?? 0)}
                  min={1}
                  decimalScale={0}
                  error={fieldState.error?.message}
                />
              )}
            />
          </SimpleGrid>
          <TextInput
            label={t('backups.folder')}
            description={t('backups.folderText')}
            placeholder={backups.folder}
            error={formState.errors.folder?.message}
            {...register('folder')}
          />
          <Controller
            control={control}
            name="areFilesIncluded"
            render={({ field: { value = true, ...field } }) => (
              <Switch
                label={t('backups.withFiles')}
                description={t('backups.withFilesText')}
                checked={value}
                {...field}
              />
            )}
          />
        </Stack>
      </SectionCard>
    </FormFrame>
  );
}

function LastRun({ run }: Pick<Backups, 'run'>) {
  const { t } = useTranslation();
  if (run?.message == null) return null;
  return (
    <Alert color="error" variant="light" icon={<IconAlertTriangle size={20} />} title={t('backups.failed')}>
      <Text size="sm">{run.message}</Text>
      <Text size="sm" c="dimmed" component="div">
        <Ago at={run.endedAt ?? run.startedAt} />
      </Text>
    </Alert>
  );
}

function Kept({ backups: { kept, folder, ...backups } }: { backups: Backups }) {
  const { t } = useTranslation();
  return (
    <SectionCard title={t('backups.kept')} text={t('backups.keptText', { folder })}>
      {isRunning({ kept, folder, ...backups }) && (
        <Text role="status" mb="sm">
          {t('backups.running')}
        </Text>
      )}
      {kept.length === 0 ? (
        <Text c="dimmed">{t('backups.none')}</Text>
      ) : (
        <ListRows>
          {kept.map(({ name, takenAt, checkedAt, size, fileCount, areFilesIncluded }) => (
            <div key={name} data-backup={name}>
              <Text fw={600} className="tabular">
                {formatTime(takenAt)} · {formatSize(size)}
              </Text>
              <Text size="sm">
                {areFilesIncluded ? t('backups.files', { count: fileCount }) : t('backups.noFiles')} ·{' '}
                {t('backups.checked', { at: formatTime(checkedAt) })}
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
            </div>
          ))}
        </ListRows>
      )}
    </SectionCard>
  );
}
