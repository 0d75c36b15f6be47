import { Group, Text } from '@mantine/core';
import { type FontSort, fontSorts, type LibraryFont } from '@pdf2press/contract';
import { fontRoutes } from '@pdf2press/contract/calls';
import { IconTrash, IconTypography } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { confirm } from '../frame/confirm.ts';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';
import { RefusedFonts, UploadFonts, useUploads } from './upload-fonts.tsx';

/** The font library: what each font allows and when it was used, uploading and removing. */
export function FontsScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const address = useListAddress();
  const query = { ...listQuery(address), ...sortQuery(address, fontSorts) };
  const list = useCall(fontRoutes.list, { query }, { placeholderData: keepPreviousData });
  const uploads = useUploads();
  const upload = may('fonts.manage') && <UploadFonts {...uploads} />;
  const state = listState(list, address, {
    icon: IconTypography,
    title: t('fonts.empty'),
    text: t('fonts.text'),
    action: upload,
  });
  return (
    <Screen
      title={t('nav.fonts')}
      actions={
        <>
          <ExportButton list={fontRoutes.list} query={query} />
          {upload}
        </>
      }
      toolbar={
        <>
          <RefusedFonts {...uploads} />
          <Group>
            <ListSearch address={address} label={t('fonts.search')} />
          </Group>
        </>
      }
      state={state}
    >
      <DataTable<LibraryFont>
        label={t('nav.fonts')}
        rows={list.data?.items ?? []}
        idOf={(font) => font.id}
        address={address}
        name={{
          label: t('field.name'),
          sort: 'name' satisfies FontSort,
          of: (font) => font.fullName,
          below: (font) => font.postScriptName,
        }}
        columns={columnsOf(t)}
        {...(may('fonts.delete') && {
          actions: {
            label: t('list.actions'),
            of: (font) => (
              <RowMenu
                name={font.fullName}
                acts={[
                  { label: t('common.delete'), icon: IconTrash, isDangerous: true, act: () => void remove(font, t) },
                ]}
              />
            ),
          },
        })}
      />
      <ListPager address={address} total={list.data?.total ?? 0} />
    </Screen>
  );
}

/** Removes a font after a question. */
async function remove({ id, fullName: name }: LibraryFont, t: TFunction): Promise<void> {
  const isSure = await confirm({
    title: t('fonts.removeTitle', { name }),
    text: t('fonts.removeText'),
    act: t('common.delete'),
    isDangerous: true,
  });
  if (!isSure) return;
  try {
    await call(fontRoutes.remove, { params: { id } });
    notify.success(t('common.deleted', { name }));
  } catch (error) {
    notify.failure(error);
  }
  await invalidate(fontRoutes.list);
}

const columnsOf = (t: TFunction): readonly DataColumn<LibraryFont, FontSort>[] => [
  {
    key: 'licence',
    label: t('fonts.licence'),
    sort: 'licence',
    cell: ({ embedding, isSubsettingForbidden }) => (
      <>
        <Text size="sm">{t(`fonts.embedding.${embedding}`)}</Text>
        {isSubsettingForbidden && (
          <Text size="xs" c="dimmed">
            {t('fonts.whole')}
          </Text>
        )}
      </>
    ),
  },
  { key: 'kind', sort: 'kind', label: t('fonts.kind'), isExtra: true, cell: ({ kind }) => kind },
  {
    key: 'letters',
    label: t('fonts.letters'),
    sort: 'letters',
    isExtra: true,
    cell: ({ glyphCount }) => <span className="tabular">{glyphCount}</span>,
  },
  {
    key: 'lastUsed',
    label: t('fonts.lastUsed'),
    sort: 'lastUsed',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <Text size="sm" c="dimmed">
          {t('fonts.unused')}
        </Text>
      ) : (
        <Ago at={lastUsedAt} />
      ),
  },
  {
    key: 'added',
    label: t('fonts.added'),
    sort: 'added',
    isExtra: true,
    cell: ({ createdAt, createdBy }) => (
      <>
        <Ago at={createdAt} />
        <Text size="xs" c="dimmed">
          {t('fonts.by', { name: createdBy })}
        </Text>
      </>
    ),
  },
];
