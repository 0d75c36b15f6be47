import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { cloudFolderSchema } from '@pdf2press/sources/contracts';
import { type FieldEditorProps, SettingsFields, shapeOf } from '@pdf2press/ui';
import { IconFolderPlus, IconTrash } from '@tabler/icons-react';
import { useContext, useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CloudAccount } from './cloud-account.ts';
import { FolderPicker } from './folder-picker.tsx';

/** What is asked for each folder; which one it is, is chosen in the tree. */
const shape = shapeOf(cloudFolderSchema.omit({ driveId: true, folderId: true, path: true }));

interface Row {
  driveId: string;
  folderId: string;
  path: string;
}

/** The chosen folders, each with the workflow that its files go to. */
export function FoldersField({ name, path, fault, ...common }: FieldEditorProps) {
  const { t } = useTranslation();
  const { control, isReadOnly = false } = common;
  const { id } = useContext(CloudAccount);
  const { fields, append, remove } = useFieldArray({ control, name, keyName: 'key' });
  const rows = fields as unknown as (Row & { key: string })[];
  const [isPicking, setPicking] = useState(false);
  const isChosen = (one: { driveId: string; folderId: string }) =>
    rows.some(({ driveId, folderId }) => driveId === one.driveId && folderId === one.folderId);
  return (
    <Stack data-field={name}>
      {rows.length === 0 && <Text c="dimmed">{t(id === undefined ? 'cloud.connectFirst' : 'cloud.noFolder')}</Text>}
      {rows.map((row, at) => (
        <Fieldset key={row.key} radius="sm" p="sm" legend={row.path}>
          <Group align="start" wrap="nowrap">
            <div style={{ flex: 1, minInlineSize: 0 }}>
              <SettingsFields {...common} shape={shape} name={`${name}.${at}`} path={path} />
            </div>
            {!isReadOnly && (
              <ActionIcon
                variant="subtle"
                color="error"
                size="lg"
                aria-label={t('cloud.removeFolder', { folder: row.path })}
                onClick={() => remove(at)}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        </Fieldset>
      ))}
      {fault && (
        <Text size="xs" c="var(--p2p-error)">
          {fault}
        </Text>
      )}
      {!isReadOnly && id !== undefined && (
        <Group>
          <Button variant="default" leftSection={<IconFolderPlus size={16} />} onClick={() => setPicking(true)}>
            {t('cloud.addFolder')}
          </Button>
        </Group>
      )}
      {isPicking && id !== undefined && (
        <FolderPicker
          id={id}
          isChosen={isChosen}
          onClose={() => setPicking(false)}
          onPick={({ driveId, folderId }, way) => {
            append({ driveId, folderId, path: way, workflowId: '', hasSubfolders: false, pathVariables: [] });
            setPicking(false);
          }}
        />
      )}
    </Stack>
  );
}
