import { ActionIcon, Alert, Collapse, Fieldset, Group, Stack, Switch, Text, UnstyledButton } from '@mantine/core';
import { type FixKey, fixContracts } from '@pdf2press/fix/contracts';
import { SettingsFields } from '@pdf2press/ui';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconGripVertical, IconTrash } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { type Control, Controller, type FieldValues, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnit } from '../preferences/use-unit.ts';
import { KindHelp } from '../profiles/kind-help.tsx';
import classes from './fix.module.css';
import { FixScope } from './fix-scope.tsx';
import { actionShape, suggestedStretchPercent } from './fix-settings.ts';
import { fixWords } from './fix-words.ts';

interface Props {
  rowId: string;
  actionKey: FixKey;
  /** Index in the list, and the length of the list. */
  at: number;
  count: number;
  /** Position in the run order from 1; null if disabled. */
  place: number | null;
  isOpen: boolean;
  isReadOnly: boolean;
  /** Where the order is not the person's: nothing to move by. */
  isLocked: boolean;
  control: Control<FieldValues>;
  onOpen: () => void;
  onMove: (by: number) => void;
  onRemove: () => void;
  onDrag: () => void;
  onDrop: () => void;
}

export function FixActionCard(props: Props) {
  const { rowId, actionKey, at, place, isOpen, isReadOnly, isLocked, control, onOpen, onMove } = props;
  const { t, i18n } = useTranslation();
  const [unit, setUnit] = useUnit();
  const words = fixWords(actionKey, i18n.language, t);
  const name = `settings.actions.${at}`;
  const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key];
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    onMove(by);
  };
  return (
    <li
      className={classes.action}
      data-off={place === null || undefined}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        props.onDrop();
      }}
    >
      <div className={classes.head}>
        {!isReadOnly && !isLocked && (
          // biome-ignore lint/a11y/noStaticElementInteractions: the buttons and Alt with arrows are the way for keys
          <span
            className={classes.grip}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', rowId);
              props.onDrag();
            }}
          >
            <IconGripVertical size={16} aria-hidden />
          </span>
        )}
        <span className={classes.place}>{place ?? '–'}</span>
        <UnstyledButton
          className={classes.name}
          data-row={rowId}
          aria-expanded={isOpen}
          onClick={onOpen}
          onKeyDown={onKeyDown}
        >
          <span>
            <Text component="span" fw={550}>
              {words.name}
            </Text>
            <Text component="span" size="sm" c="dimmed" lineClamp={isOpen ? 0 : 1} title={words.about}>
              {words.about}
            </Text>
          </span>
          <IconChevronDown size={16} aria-hidden className={classes.chevron} data-open={isOpen || undefined} />
        </UnstyledButton>
        <Group gap={2} wrap="nowrap" className={classes.buttons}>
          <KindHelp help={fixContracts[actionKey].help} name={words.name} />
          <MoveButtons {...props} label={words.name} />
          <Controller
            control={control}
            name={`${name}.enabled`}
            render={({ field }) => (
              <Switch
                aria-label={words.name}
                checked={field.value !== false}
                disabled={isReadOnly}
                onChange={(event) => field.onChange(event.currentTarget.checked)}
              />
            )}
          />
        </Group>
      </div>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <Stack className={classes.body}>
            {actionKey === 'ResizePages' && <StretchHint control={control} name={`${name}.settings`} />}
            <SettingsFields
              shape={actionShape(actionKey)}
              name={`${name}.settings`}
              control={control}
              words={words}
              unit={unit}
              onUnitChange={setUnit}
              isReadOnly={isReadOnly}
            />
            <Fieldset legend={t('fix.scope')} radius="sm" p="sm">
              <FixScope control={control} name={name} actionKey={actionKey} isReadOnly={isReadOnly} />
            </Fieldset>
          </Stack>
        )}
      </Collapse>
    </li>
  );
}

function MoveButtons({
  at,
  count,
  isReadOnly,
  isLocked,
  label,
  onMove,
  onRemove,
}: Pick<Props, 'at' | 'count' | 'isReadOnly' | 'isLocked' | 'onMove' | 'onRemove'> & { label: string }) {
  const { t } = useTranslation();
  return (
    <>
      {!isLocked && (
        <>
          <ActionIcon
            variant="subtle"
            color="neutral"
            aria-label={t('fix.moveUp', { name: label })}
            disabled={at === 0 || isReadOnly}
            onClick={() => onMove(-1)}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="neutral"
            aria-label={t('fix.moveDown', { name: label })}
            disabled={at === count - 1 || isReadOnly}
            onClick={() => onMove(1)}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        variant="subtle"
        color="error"
        aria-label={t('fix.removeAction', { name: label })}
        disabled={isReadOnly}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </>
  );
}

/** Warns when the allowed distortion would be visible. */
function StretchHint({ control, name }: { control: Control<FieldValues>; name: string }) {
  const { t } = useTranslation();
  const { scaling, maxStretchDistortion } = (useWatch({ control, name }) ?? {}) as Record<string, unknown>;
  if (scaling !== 'Stretching' || Number(maxStretchDistortion) <= suggestedStretchPercent) return null;
  return (
    <Alert color="warning" role="status">
      {t('fix.stretch')}
    </Alert>
  );
}
