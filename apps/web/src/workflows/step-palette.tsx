import { TextInput, UnstyledButton } from '@mantine/core';
import { IconCheck, IconLock, IconSearch } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../frame/hint.tsx';
import classes from './builder.module.css';
import { useBuilder } from './builder-store.ts';
import { carryKind } from './carried-kind.ts';
import { type KindChoice, useKindChoices } from './kind-choices.ts';
import { StepIcon } from './step-icon.tsx';
import { groupLabel, shownGroups } from './step-kinds.ts';

/** The kinds of step in groups: drag one onto the canvas, or press it. With a step chosen the new one comes after it. */
export const StepPalette = memo(function StepPalette() {
  const { t, i18n } = useTranslation();
  const choices = useKindChoices();
  const [search, setSearch] = useState('');
  const needle = search.trim().toLocaleLowerCase();
  const shown = choices.filter(({ label, help }) => `${label} ${help}`.toLocaleLowerCase().includes(needle));
  return (
    <section className={classes.palette} aria-label={t('builder.steps')}>
      <TextInput
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        placeholder={t('builder.search')}
        aria-label={t('builder.search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {shownGroups.map((group) => {
        const list = shown.filter((choice) => choice.group === group);
        return (
          list.length > 0 && (
            <div key={group}>
              <h2>{groupLabel(group, i18n.language)}</h2>
              <ul>
                {list.map((choice) => (
                  <PaletteItem key={choice.kind} choice={choice} />
                ))}
              </ul>
            </div>
          )
        );
      })}
    </section>
  );
});

function PaletteItem({ choice: { kind, label, help, refusal, isUsed, isLacking } }: { choice: KindChoice }) {
  const builder = useBuilder();
  return (
    <li>
      <Hint label={refusal ?? help} position="right">
        <UnstyledButton
          className={classes.paletteItem}
          data-off={refusal !== null || undefined}
          aria-disabled={refusal !== null || undefined}
          draggable={!isLacking}
          onDragStart={(event) => carryKind(event, kind)}
          // What is refused says why: the builder tells the rule.
          onClick={() => !isLacking && builder.addStep(kind, null)}
        >
          <StepIcon kind={kind} size={16} />
          <span>{label}</span>
          {isUsed && <IconCheck size={15} aria-hidden />}
          {isLacking && <IconLock size={15} aria-hidden />}
        </UnstyledButton>
      </Hint>
    </li>
  );
}
