import { Anchor, Breadcrumbs, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import type { CloudPlaceOption } from '@pdf2press/contract';
import { cloudStorageRoutes } from '@pdf2press/contract/calls';
import { IconChevronRight, IconFolder } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';
import { useCall } from '../client/queries.ts';
import { DialogFoot } from '../frame/dialog-foot.tsx';
import classes from './folder-picker.module.css';

interface Props {
  /** The stored cloud storage whose account is looked into. */
  id: string;
  isChosen: (place: CloudPlaceOption) => boolean;
  onPick: (place: CloudPlaceOption, path: string) => void;
  onClose: () => void;
}

/** The folders of an account, drive by drive and folder by folder. */
export function FolderPicker({ id, isChosen, onPick, onClose }: Props) {
  const { t } = useTranslation();
  const [way, setWay] = useState<readonly CloudPlaceOption[]>([]);
  const here = way.at(-1);
  const query = here ? { driveId: here.driveId, folderId: here.folderId } : {};
  const listed = useCall(cloudStorageRoutes.folders, { params: { id }, query }, { staleTime: 0 });
  const nameOf = ({ name, driveId }: CloudPlaceOption) => (name === '' && driveId === '' ? t('cloud.ownDrive') : name);
  // Within the account's own drive its name says nothing.
  const isOwn = way[0]?.driveId === '' && way.length > 1;
  const path = way
    .slice(isOwn ? 1 : 0)
    .map(nameOf)
    .join('/');
  const isTaken = here !== undefined && isChosen(here);
  return (
    <Modal opened onClose={onClose} title={t('cloud.pickTitle')} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // The form of the page around it has nothing to do with this one.
          event.stopPropagation();
          if (here && !isTaken) onPick(here, path);
        }}
      >
        <Stack>
          <Breadcrumbs>
            <Anchor component="button" type="button" onClick={() => setWay([])}>
              {t('cloud.drives')}
            </Anchor>
            {way.map((place, at) => (
              <Anchor
                key={`${place.driveId} ${place.folderId}`}
                component="button"
                type="button"
                onClick={() => setWay(way.slice(0, at + 1))}
              >
                {nameOf(place)}
              </Anchor>
            ))}
          </Breadcrumbs>
          {listed.isPending && (
            <Group justify="center" role="status">
              <Loader size="sm" aria-label={t('state.loading')} />
            </Group>
          )}
          {listed.error && <Text c="var(--p2p-error)">{failureText(listed.error, t)}</Text>}
          <ul className={classes.folders} aria-label={t('cloud.foldersHere')}>
            {listed.data?.map((place) => (
              <li key={`${place.driveId} ${place.folderId}`}>
                <Button
                  variant="subtle"
                  color="neutral"
                  fullWidth
                  justify="space-between"
                  leftSection={<IconFolder size={18} aria-hidden />}
                  rightSection={<IconChevronRight size={16} aria-hidden />}
                  styles={{ label: { flex: 1, textAlign: 'start' } }}
                  onClick={() => setWay([...way, place])}
                >
                  {nameOf(place)}
                </Button>
              </li>
            ))}
          </ul>
          {listed.data?.length === 0 && <Text c="dimmed">{t('cloud.noSubfolders')}</Text>}
          {isTaken && <Text size="sm">{t('cloud.alreadyChosen')}</Text>}
          <DialogFoot onClose={onClose} act={t('cloud.pick')} isDisabled={here === undefined || isTaken} />
        </Stack>
      </form>
    </Modal>
  );
}
