import { Alert, Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { sessionStatuses } from '@pdf2press/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Ago } from '../frame/ago.tsx';
import { confirm } from '../frame/confirm.ts';
import { DataTable } from '../frame/data-table.tsx';
import { ThemeMenu } from '../frame/header.tsx';
import { ListRows } from '../frame/list-rows.tsx';
import { Instead, Screen, type ScreenState } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { levelLooks, SessionStatusChip, StatusIcon, severityLooks } from '../sessions/status.tsx';
import { SampleFields } from './sample-fields.tsx';

/** The components that screens are made of, as they are: to look at in each theme, language and width. */
export function GalleryScreen() {
  const { t } = useTranslation();
  const parts: readonly [string, () => ReactNode][] = [
    ['buttons', Buttons],
    ['statuses', Statuses],
    ['fields', SampleFields],
    ['lists', Lists],
    ['messages', Messages],
    ['states', States],
  ];
  return (
    <Screen title={t('title.test')} actions={<ThemeMenu />}>
      <Stack>
        {parts.map(([key, Part]) => (
          <SectionCard key={key} title={t(`gallery.${key}`)}>
            <Part />
          </SectionCard>
        ))}
      </Stack>
    </Screen>
  );
}

function Buttons() {
  const { t } = useTranslation();
  return (
    <Group>
      <Button leftSection={<IconPlus size={16} />}>{t('common.save')}</Button>
      <Button variant="default">{t('common.cancel')}</Button>
      <Button variant="subtle">{t('common.view')}</Button>
      <Button variant="light">{t('common.edit')}</Button>
      <Button color="error" leftSection={<IconTrash size={16} />}>
        {t('common.delete')}
      </Button>
      <Button loading>{t('common.save')}</Button>
      <Button disabled>{t('common.save')}</Button>
    </Group>
  );
}

function Statuses() {
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {sessionStatuses.map((status) => (
          <SessionStatusChip key={status} status={status} />
        ))}
      </Group>
      <Group gap="xs">
        {[...Object.entries(severityLooks), ...Object.entries(levelLooks)].map(([name, look]) => (
          <StatusIcon key={name} look={look} />
        ))}
        <Badge variant="light" color="neutral">
          4.1
        </Badge>
      </Group>
    </Stack>
  );
}

const rows = [
  { id: 'a', name: 'Business card.pdf', pages: 2 },
  { id: 'b', name: 'Menu card from fax.pdf', pages: 16 },
];
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

function Lists() {
  const { t } = useTranslation();
  return (
    <Stack>
      <DataTable
        label={t('gallery.lists')}
        rows={rows}
        idOf={({ id }) => id}
        name={{ label: t('gallery.field.rows.name'), of: ({ name }) => name, to: () => '/test' }}
        columns={[{ key: 'pages', label: t('gallery.field.rows.amount'), cell: ({ pages }) => pages }]}
      />
      <ListRows>
        {rows.map(({ id, name }) => (
          <Group key={id} justify="space-between">
            <Text>{name}</Text>
            <Text size="sm" c="dimmed" component="div">
              <Ago at={yesterday} />
            </Text>
          </Group>
        ))}
      </ListRows>
      <Progress value={40} aria-label={t('gallery.lists')} />
    </Stack>
  );
}

function Messages() {
  const { t } = useTranslation();
  const ask = async () => {
    const isSure = await confirm({
      title: t('common.delete'),
      text: t('gallery.sample'),
      act: t('common.delete'),
      isDangerous: true,
    });
    if (isSure) notify.success(t('common.saved'));
  };
  return (
    <Stack>
      {(['info', 'success', 'warning', 'error'] as const).map((tone) => (
        <Alert key={tone} color={tone}>
          {t('gallery.sample')}
        </Alert>
      ))}
      <Group>
        <Button variant="default" onClick={() => notify.success(t('common.saved'))}>
          {t('gallery.toast')}
        </Button>
        <Button variant="default" onClick={() => notify.failure(new Error(t('gallery.sample')))}>
          {t('gallery.failure')}
        </Button>
        <Button variant="default" onClick={() => void ask()}>
          {t('gallery.question')}
        </Button>
      </Group>
    </Stack>
  );
}

function States() {
  const { t } = useTranslation();
  const again = () => notify.success(t('common.retry'));
  const states: readonly Exclude<ScreenState, { kind: 'ready' }>[] = [
    { kind: 'loading' },
    { kind: 'empty', title: t('gallery.empty'), text: t('gallery.sample') },
    { kind: 'noMatch', onClear: again },
    { kind: 'noPermission', permission: 'settings.general.manage' },
    { kind: 'notFound' },
    { kind: 'error', error: new Error(t('gallery.sample')), onRetry: again },
  ];
  return (
    <Stack>
      {states.map((state) => (
        <Instead key={state.kind} state={state} skeleton={undefined} />
      ))}
    </Stack>
  );
}
