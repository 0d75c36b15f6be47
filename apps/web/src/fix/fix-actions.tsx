import { Select, Text } from '@mantine/core';
import { type FixKey, fixContracts, fixGroups, fixKeys, type ProfileAction } from '@pdf2press/prepress/contracts';
import { useEffect, useRef, useState } from 'react';
import { type Control, type FieldValues, type UseFormReturn, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ProfileValues } from '../profiles/use-profile-form.ts';
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
  const control = form.control as unknown as Control<FieldValues>;
  const { fields, append, move, remove } = useFieldArray({ control, name: 'settings.actions' });
  const rows = fields as unknown as (ProfileAction & { id: string })[];
  const settings = form.watch('settings') as unknown as FixSettings;
  const places = settings.actions ? runPlaces(settings) : new Map<number, number>();
  const [open, setOpen] = useState<string | null>(null);
  const [told, setTold] = useState('');
  const dragged = useRef<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<string | null>(null);

  // A row that was moved keeps the focus, though its element may have been put elsewhere.
  useEffect(() => {
    if (wanted.current) list.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`)?.focus();
    wanted.current = null;
  });
  const nameOf = (key: FixKey) => fixWords(key, i18n.language, t).name;
  const moveTo = (from: number, to: number) => {
    const row = rows[from];
    if (!row || isReadOnly || to < 0 || to >= rows.length || from === to) return;
    wanted.current = row.id;
    move(from, to);
    setTold(t('fix.moved', { name: nameOf(row.key), place: to + 1 }));
  };
  return (
    <>
      {rows.length === 0 && <Text c="dimmed">{t('fix.none')}</Text>}
      <ol ref={list} className={classes.actions}>
        {rows.map((row, at) => (
          <FixActionCard
            key={row.id}
            rowId={row.id}
            actionKey={row.key}
            at={at}
            count={rows.length}
            place={places.get(at) ?? null}
            isOpen={open === row.id}
            isReadOnly={isReadOnly}
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
        <Select
          mt="md"
          label={t('fix.add')}
          description={rows.length > 1 ? t('fix.keysHint') : null}
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
            if (key) append(freshAction(key), { shouldFocus: false });
          }}
        />
      )}
    </>
  );
}
