import { Combobox, Textarea, useCombobox } from '@mantine/core';
import type { Teammate } from '@pdf2press/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { openMention, suggestionsFor } from './mentions.ts';

interface Props {
  value: string;
  onChange: (value: string) => void;
  team: readonly Teammate[];
}

/** A text in which `@` offers the names of people and roles. */
export function MentionField({ value, onChange, team }: Props) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const store = useCombobox({
    onDropdownClose: () => store.resetSelectedOption(),
  });
  const caret = field.current?.selectionStart ?? value.length;
  const open = openMention(value.slice(0, caret));
  const offered = open ? suggestionsFor(open.typed, team) : [];
  const choose = (id: string) => {
    const one = team.find((each) => each.id === id);
    if (!one || !open) return;
    onChange(`${value.slice(0, open.at)}@${one.name} ${value.slice(caret)}`);
    store.closeDropdown();
    field.current?.focus();
  };
  return (
    <Combobox store={store} onOptionSubmit={choose} withinPortal>
      <Combobox.Target withKeyboardNavigation={store.dropdownOpened && offered.length > 0}>
        <Textarea
          ref={field}
          label={t('discussion.comment')}
          description={t('discussion.mentionHint')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={4000}
          value={value}
          onChange={(event) => {
            const { value: text, selectionStart } = event.currentTarget;
            onChange(text);
            const typed = openMention(text.slice(0, selectionStart));
            if (typed && suggestionsFor(typed.typed, team).length > 0) {
              store.openDropdown();
              store.updateSelectedOptionIndex();
            } else store.closeDropdown();
          }}
          onBlur={() => store.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options aria-label={t('discussion.people')}>
          {offered.map(({ id, name }) => (
            <Combobox.Option key={id} value={id}>
              {name}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
