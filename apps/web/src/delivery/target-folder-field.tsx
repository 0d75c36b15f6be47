import { Button, Group, Input, Text } from '@mantine/core';
import type { FieldEditorProps } from '@pdf2press/ui';
import { IconFolder } from '@tabler/icons-react';
import { useState } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FolderPicker } from '../cloud-storage/folder-picker.tsx';

interface Folder {
  driveId: string;
  folderId: string;
  path: string;
}

/** The folder of a cloud storage, chosen in the tree of its account. */
export function TargetFolderField({ name, path, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t } = useTranslation();
  const { field } = useController({ control, name });
  const id = useWatch({ control, name: name.replace(/[^.]+$/, 'connectionId') }) as string | undefined;
  const [isPicking, setPicking] = useState(false);
  // Nothing is chosen as long as it is an empty text.
  const chosen = typeof field.value === 'object' ? (field.value as Folder | null) : null;
  return (
    <Input.Wrapper label={words.label(path)} error={fault} labelElement="div" data-field={name}>
      <Group gap="sm" mt={4}>
        <Text {...(!chosen && { c: 'dimmed' })} style={{ overflowWrap: 'anywhere' }}>
          {chosen ? chosen.path : t(id ? 'delivery.noFolder' : 'delivery.storageFirst')}
        </Text>
        {!isReadOnly && id && (
          <Button variant="default" leftSection={<IconFolder size={16} />} onClick={() => setPicking(true)}>
            {t('delivery.chooseFolder')}
          </Button>
        )}
      </Group>
      {isPicking && id && (
        <FolderPicker
          id={id}
          isChosen={(place) => place.driveId === chosen?.driveId && place.folderId === chosen.folderId}
          onClose={() => setPicking(false)}
          onPick={({ driveId, folderId }, way) => {
            field.onChange({ driveId, folderId, path: way });
            setPicking(false);
          }}
        />
      )}
    </Input.Wrapper>
  );
}
