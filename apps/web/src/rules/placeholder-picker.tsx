import { ActionIcon, Combobox, Popover, TextInput, useCombobox } from '@mantine/core';
import type { VariableScope } from '@pdf2press/settings';
import { IconBraces } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { namesAt } from './fact-groups.ts';
import { useRuleSurroundings } from './rule-surroundings.ts';
import classes from './rules.module.css';
import { useSampleSession } from './sample-session.tsx';
import { useSampleTexts } from './use-evaluations.ts';
import { useNameGroups } from './use-fact-words.ts';

interface Props {
  scope: VariableScope;
  disabled: boolean;
  onPick: (placeholder: string) => void;
}

/** Offers the names that a text may hold as placeholders, each with its value in the session that was chosen. */
export function PlaceholderPicker({ scope, disabled, onPick }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={320} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={disabled}
          aria-label={t('rules.insertVariable')}
          title={t('rules.insertVariable')}
          onClick={() => setOpen(!isOpen)}
        >
          <IconBraces size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('rules.insertVariable')}>
        {isOpen && (
          <Names
            scope={scope}
            onPick={(name) => {
              setOpen(false);
              onPick(`{{${name}}}`);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Names({ scope, onPick }: { scope: VariableScope; onPick: (name: string) => void }) {
  const { t } = useTranslation();
  const { variables, workflowId = '', stepId } = useRuleSurroundings();
  const known = useMemo(() => namesAt(scope, variables), [scope, variables]);
  const { groups } = useNameGroups(known);
  const names = useMemo(() => known.list.map(({ name }) => name), [known]);
  const sample = useSampleSession(workflowId);
  const texts = useSampleTexts(sample?.id ?? null, { names, variables, ...(stepId !== undefined && { stepId }) });
  const [search, setSearch] = useState('');
  const combobox = useCombobox({ opened: true });
  const needle = search.trim().toLocaleLowerCase();
  const shown = groups
    .map(({ group, items }) => ({
      group,
      items: items.filter(({ value, label }) => `${label} ${value}`.toLocaleLowerCase().includes(needle)),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <Combobox store={combobox} withinPortal={false} onOptionSubmit={onPick}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          role="combobox"
          mb="xs"
          aria-label={t('rules.searchVariable')}
          placeholder={t('rules.searchVariable')}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.resetSelectedOption();
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.names} aria-label={t('rules.insertVariable')} tabIndex={0}>
        {shown.map(({ group, items }) => (
          <Combobox.Group key={group} label={group}>
            {items.map(({ value, label }) => (
              <Combobox.Option key={value} value={value}>
                {label}
                <small>{texts[value] ? `${value} = ${texts[value]}` : value}</small>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
        {shown.length === 0 && <Combobox.Empty>{t('state.noMatch')}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  );
}
