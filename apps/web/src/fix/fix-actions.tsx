import { Select, Text } from '@mantine/core';
import { nearestLocale } from '@pdf2press/contract';
import {
  type FixKey,
  fixContracts,
  fixGroups,
  fixKeys,
  fixPresetOf,
  fixPresets,
  fixPresetWords,
  type ProfileAction,
} from '@pdf2press/fix/contracts';
import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { controlOf, type ProfileValues } from '../profiles/use-profile-form.ts';
import classes from './fix.module.css';
import { FixActionCard } from './fix-action-card.tsx';
import { type FixSettings, freshAction, runPlaces } from './fix-settings.ts';
import { fixWords } from './fix-words.ts';

interface Props {
  form: UseFormReturn<ProfileValues>;
  isReadOnly: boolean;
}

/** The list of actions: moved by buttons, by Alt and arrows or by dragging, switched on and off, opened one at a time. */
export function FixActions({ form, isReadOnly }: Props) {
  const { t, i18n } = useTranslation();
  const control = controlOf(form);
  const { fields, append, move, remove, replace } = useFieldArray({ control, name: 'settings.actions' });
  const rows = fields as (ProfileAction & { id: string })[];
  const settings = form.watch('settings') as FixSettings;
  // In the safest order the list stands as it runs, and nobody moves in it.
  const isLocked = settings.order !== 'AsListed';
  const listed = rows.map((row, at) => ({ row, at }));
  const shown = isLocked
    ? listed.toSorted((a, b) => fixContracts[a.row.key].order - fixContracts[b.row.key].order || a.at - b.at)
    : listed;
  const places = settings.actions ? runPlaces(settings) : new Map<number, number>();
  const [open, setOpen] = useState<string | null>(null);
  const [told, setTold] = useState('');
  const dragged = useRef<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<string | null>(null);

  // Restores the focus after a move, because React may move the element in the DOM.
  useEffect(() => {
    if (wanted.current) list.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`)?.focus();
    wanted.current = null;
  });
  // Opens a folded action that contains a fault.
  const faults = form.formState.errors.settings?.actions as Record<number, unknown> | undefined;
  const firstFault = rows.findIndex((_, at) => faults?.[at]);
  const isShown = rows.some((row, at) => row.id === open && faults?.[at]);
  const { submitCount } = form.formState;
  useEffect(() => {
    const row = rows[firstFault];
    if (submitCount > 0 && row && !isShown) setOpen(row.id);
    // Only after a new attempt to save.
  }, [submitCount, firstFault]);
  const startFrom = (key: string | null) => {
    const preset = key === null ? undefined : fixPresetOf(key);
    if (!preset) return;
    replace([...structuredClone(preset.profile.actions)]);
    if (form.getValues('name').trim() === '')
      form.setValue('name', fixPresetWords(preset.key, nearestLocale(i18n.language)).name, { shouldDirty: true });
  };
  const nameOf = (key: FixKey) => fixWords(key, i18n.language, t).name;
  const moveTo = (from: number, to: number) => {
    const row = rows[from];
    if (!row || isReadOnly || isLocked || to < 0 || to >= rows.length || from === to) return;
    wanted.current = row.id;
    move(from, to);
    setTold(t('fix.moved', { name: nameOf(row.key), place: to + 1 }));
  };
  return (
    <>
      {rows.length === 0 && <Text c="dimmed">{t('fix.none')}</Text>}
      {rows.length === 0 && !isReadOnly && <PresetSelect onChoose={startFrom} />}
      <ol ref={list} className={classes.actions}>
        {shown.map(({ row, at }) => (
          <FixActionCard
            key={row.id}
            rowId={row.id}
            actionKey={row.key}
            at={at}
            count={rows.length}
            place={places.get(at) ?? null}
            isOpen={open === row.id}
            isReadOnly={isReadOnly}
            isLocked={isLocked}
            control={control}
            onOpen={() => setOpen(open === row.id ? null : row.id)}
            onMove={(by) => moveTo(at, at + by)}
            onRemove={() => remove(at)}
            onDrag={() => {
              dragged.current = at;
            }}
            onDrop={() => {
              if (dragged.current !== null) moveTo(dragged.current, at);
              dragged.current = null;
            }}
          />
        ))}
      </ol>
      <div className="visually-hidden" role="status">
        {told}
      </div>
      {!isReadOnly && (
        <AddAction
          nameOf={nameOf}
          hint={rows.length > 1 && !isLocked ? t('fix.keysHint') : null}
          onAdd={(key) => append(freshAction(key), { shouldFocus: false })}
        />
      )}
    </>
  );
}

/** All actions by group, to add one. */
function AddAction({
  nameOf,
  hint,
  onAdd,
}: {
  nameOf: (key: FixKey) => string;
  hint: string | null;
  onAdd: (key: FixKey) => void;
}) {
  const { t } = useTranslation();
  return (
    <Select
      mt="md"
      label={t('fix.add')}
      description={hint}
      placeholder={t('fix.add')}
      searchable
      value={null}
      data={fixGroups.map((group) => ({
        group: t(`checkGroup.${group}`),
        items: fixKeys
          .filter((key) => fixContracts[key].group === group)
          .map((key) => ({ value: key, label: nameOf(key) })),
      }))}
      onChange={(chosen) => {
        const key = fixKeys.find((one) => one === chosen);
        if (key) onAdd(key);
      }}
    />
  );
}

/** Replaces the actions by those of a preset. */
function PresetSelect({ onChoose }: { onChoose: (key: string | null) => void }) {
  const { t, i18n } = useTranslation();
  const words = (key: string) => fixPresetWords(key, nearestLocale(i18n.language));
  return (
    <Select
      mt="sm"
      label={t('profiles.startFrom')}
      placeholder={t('profiles.startFromText')}
      searchable
      value={null}
      data={fixPresets.map(({ key }) => ({ value: key, label: words(key).name }))}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {words(option.value).text}
          </Text>
        </div>
      )}
      onChange={onChoose}
    />
  );
}
