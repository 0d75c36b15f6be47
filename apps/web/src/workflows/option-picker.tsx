import { CloseButton, Combobox, Popover, Text, TextInput, useCombobox } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import type { Place } from './step-places.ts';

export interface PickerOption {
  value: string;
  label: string;
  /** What it is for; or, where it cannot be taken, why not. */
  about?: string | undefined;
  refusal?: string | undefined;
  icon?: ReactNode;
  group?: string;
}

interface Props {
  title: string;
  options: readonly PickerOption[];
  /** In pixels of the window. */
  at: Place | null;
  onPick: (value: string) => void;
  onClose: () => void;
}

const width = 320;

/** At once, not when the focus trap comes to it: what is typed right after the key that opened the list is for the list. */
const takeFocus = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true });

/** A list to search and choose from, at a place on the screen. What cannot be chosen says why. */
export function OptionPicker({ title, options, at, onPick, onClose }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  // The list is always there: its keys count as those of an open one.
  const combobox = useCombobox({ opened: true });
  const needle = search.trim().toLocaleLowerCase();
  const shown = options.filter(({ label, about = '' }) => `${label} ${about}`.toLocaleLowerCase().includes(needle));
  const groups = [...new Set(shown.map(({ group }) => group))];
  // The field can name the list once the list is there.
  const [, setListed] = useState(false);
  useEffect(() => setListed(true), []);
  useEffect(() => {
    combobox.selectFirstOption();
  }, [needle, combobox.selectFirstOption]);
  const place = at ?? { x: (window.innerWidth - width) / 2, y: 140 };
  return (
    <Popover
      opened
      onChange={(isOpen) => !isOpen && onClose()}
      onClose={onClose}
      width={width}
      position="bottom-start"
      middlewares={{ flip: false, shift: { crossAxis: true, padding: 12 } }}
      shadow="md"
      trapFocus
      // The anchor is a mere place: it has no state to tell.
      withRoles={false}
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <span className={classes.anchor} style={{ left: place.x, top: place.y }} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" p={0} maw="calc(100vw - 24px)" bg="var(--p2p-raised)" aria-label={title}>
        <Combobox store={combobox} withinPortal={false} onOptionSubmit={onPick}>
          <div className={classes.pickerHead}>
            <Text fw={600}>{title}</Text>
            <CloseButton aria-label={t('common.close')} onClick={onClose} />
          </div>
          <Combobox.EventsTarget withExpandedAttribute>
            <TextInput
              ref={takeFocus}
              data-autofocus
              role="combobox"
              mx="sm"
              mb="xs"
              aria-label={t('builder.search')}
              placeholder={t('builder.search')}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              onKeyDown={(event) => event.key === 'Escape' && onClose()}
            />
          </Combobox.EventsTarget>
          <Combobox.Options className={classes.pickerList} aria-label={title} tabIndex={0}>
            {groups.map((group) => {
              const list = shown.filter((option) => option.group === group);
              const items = list.map((option) => <Option key={option.value} option={option} />);
              return group === undefined ? (
                items
              ) : (
                <Combobox.Group key={group} label={group}>
                  {items}
                </Combobox.Group>
              );
            })}
            {shown.length === 0 && <Combobox.Empty>{t('state.noMatch')}</Combobox.Empty>}
          </Combobox.Options>
        </Combobox>
      </Popover.Dropdown>
    </Popover>
  );
}

function Option({ option: { value, label, about, refusal, icon } }: { option: PickerOption }) {
  return (
    <Combobox.Option value={value} disabled={refusal !== undefined} className={classes.pickerOption}>
      {icon}
      <span>
        <b>{label}</b>
        {(refusal ?? about) && <small data-tone={refusal ? 'error' : undefined}>{refusal ?? about}</small>}
      </span>
    </Combobox.Option>
  );
}
