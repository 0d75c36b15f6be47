import { Button, Group, Select, Stack } from '@mantine/core';
import type { WorkflowStep } from '@pdf2press/contract';
import { IconEye, IconPencil, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { invalidate } from '../client/queries.ts';
import type { UsedKind } from '../profiles/profiles-screen.tsx';
import { useBuilder } from './builder-store.ts';
import { isListed, isUsable, profileRoutes, useMadeForNow, useProfiles } from './profile-names.ts';
import { kindWord, profileOf } from './step-kinds.ts';

const ProfileDrawer = lazy(async () => ({ default: (await import('./profile-drawer.tsx')).ProfileDrawer }));

/** The profile that a step works by. */
export function ProfileField({
  step,
  error,
  isReadOnly,
}: {
  step: WorkflowStep;
  error: string | undefined;
  isReadOnly: boolean;
}) {
  const { i18n } = useTranslation();
  const builder = useBuilder();
  const profile = profileOf(step.kind);
  if (!isListed(profile?.kind)) return null;
  return (
    <ProfileChoice
      kind={profile.kind}
      label={kindWord(step.kind, 'settings.profileId', i18n.language) ?? ''}
      isRequired={profile.isRequired}
      chosen={typeof step.settings.profileId === 'string' ? step.settings.profileId : null}
      error={error}
      isReadOnly={isReadOnly}
      onChoose={(profileId) =>
        builder.setSettings(step.id, profileId ? { ...step.settings, profileId } : without(step.settings))
      }
    />
  );
}

interface Props {
  kind: UsedKind;
  label: string;
  help?: string;
  isRequired: boolean;
  chosen: string | null;
  error: string | undefined;
  isReadOnly: boolean;
  onChoose: (id: string | null) => void;
}

/** A profile chosen from the list, looked at, changed or made anew in a second drawer. */
export function ProfileChoice({ kind, label, help, isRequired, chosen, error, isReadOnly, onChoose }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const profiles = useProfiles();
  const [open, setOpen] = useState<{ action: 'new' | 'edit' | 'view'; id?: string } | null>(null);
  const madeFor = useMadeForNow();
  // One of another organization stays to be seen where it was chosen, with what is wrong.
  const list = (profiles[kind] ?? []).filter((profile) => isUsable(profile, madeFor) || profile.id === chosen);
  const mayManage = may(`${kind}.manage`) && !isReadOnly;
  return (
    <Stack gap={6}>
      <Select
        label={label}
        description={help}
        withAsterisk={isRequired}
        clearable={!isRequired}
        searchable
        placeholder={t('builder.chooseProfile')}
        nothingFoundMessage={t('state.noMatch')}
        data={list.map(({ id, name }) => ({ value: id, label: name }))}
        value={list.some(({ id }) => id === chosen) ? chosen : null}
        disabled={isReadOnly}
        error={error}
        allowDeselect={false}
        onChange={onChoose}
        comboboxProps={{ withinPortal: true }}
      />
      <Group gap={4}>
        {chosen && list.some(({ id }) => id === chosen) && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={mayManage ? <IconPencil size={14} aria-hidden /> : <IconEye size={14} aria-hidden />}
            onClick={() => setOpen({ action: mayManage ? 'edit' : 'view', id: chosen })}
          >
            {t(mayManage ? 'builder.editProfile' : 'builder.viewProfile')}
          </Button>
        )}
        {mayManage && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setOpen({ action: 'new' })}
          >
            {t('builder.newProfile')}
          </Button>
        )}
      </Group>
      {open && (
        <Suspense>
          <ProfileDrawer
            kind={kind}
            action={open.action}
            id={open.id}
            madeFor={madeFor ?? undefined}
            onClose={() => setOpen(null)}
            onSaved={async ({ id }) => {
              setOpen(null);
              await invalidate(profileRoutes[kind].list);
              onChoose(id);
            }}
          />
        </Suspense>
      )}
    </Stack>
  );
}

function without({ profileId: _, ...settings }: Record<string, unknown>): Record<string, unknown> {
  return settings;
}
