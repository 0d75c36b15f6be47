import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { RuleGroup } from '@pdf2press/settings';
import { isGroup } from '@pdf2press/settings';
import { type FieldEditorProps, FieldSurroundings } from '@pdf2press/ui';
import { IconFolderPlus, IconPlus, IconTrash } from '@tabler/icons-react';
import { useContext, useId, useMemo } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { namesAt } from './fact-groups.ts';
import { canNest, emptyGroup, emptyRule, readGroup, withEntry, withMore, withoutEntry } from './rule-edits.ts';
import { RuleLine, type RulePlace } from './rule-line.tsx';
import { type Evaluation, useRuleSurroundings } from './rule-surroundings.ts';
import classes from './rules.module.css';
import { useNameGroups } from './use-fact-words.ts';
import { Verdict } from './verdict.tsx';

/** The editor of a setting that is a group of rules. */
export function RuleGroupField({ name, path, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { variables, evaluationOf } = useRuleSurroundings();
  const { field } = useController({ control, name });
  const known = useMemo(() => namesAt('rule', variables), [variables]);
  const { groups, labelOf } = useNameGroups(known);
  const evaluation = evaluationOf(name);
  const help = words.help(path);
  const titleId = useId();
  return (
    <Stack gap="xs" role="group" aria-labelledby={titleId} data-field={name}>
      <Group justify="space-between" gap="xs">
        <Text id={titleId} size="sm" fw={600}>
          {words.label(path)}
        </Text>
        {evaluation && <Verdict isTrue={evaluation.verdict} />}
      </Group>
      {help && (
        <Text size="xs" c="dimmed">
          {help}
        </Text>
      )}
      <GroupEditor
        group={readGroup(field.value)}
        onChange={field.onChange}
        depth={1}
        name={name}
        place={{ known, groups, labelOf, isReadOnly }}
        evaluation={evaluation}
        path=""
      />
      {fault && (
        <Text size="xs" c="var(--p2p-error)" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

interface GroupProps {
  group: RuleGroup;
  onChange: (group: RuleGroup) => void;
  onRemove?: () => void;
  depth: number;
  /** In the form. */
  name: string;
  /** Within the whole, as the rows of an evaluation name it; with a dot at its end where it is not the whole. */
  path: string;
  number?: string;
  place: RulePlace;
  evaluation: Evaluation | undefined;
}

const matches = ['all', 'any', 'none'] as const;

function GroupEditor(props: GroupProps) {
  const { group, onChange, onRemove, depth, name, path, number = '', place, evaluation } = props;
  const { t } = useTranslation();
  const { faultOf } = useContext(FieldSurroundings);
  const { isReadOnly } = place;
  const numberOf = (at: number) => (number === '' ? String(at + 1) : `${number}.${at + 1}`);
  const fault = faultOf(`${name}.rules`) ?? (depth > 1 ? faultOf(name) : undefined);
  return (
    <div className={classes.group} data-depth={depth} data-field={`${name}.rules`}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <NativeSelect
          size="xs"
          aria-label={number === '' ? t('rules.match') : t('rules.matchOf', { number })}
          disabled={isReadOnly}
          data={matches.map((match) => ({ value: match, label: t(`rules.match.${match}`) }))}
          value={group.match}
          onChange={(event) => onChange({ ...group, match: event.currentTarget.value as RuleGroup['match'] })}
        />
        {onRemove && !isReadOnly && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="error"
            aria-label={t('rules.removeGroup', { number })}
            onClick={onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </Button>
        )}
      </Group>
      {group.rules.map((entry, at) =>
        isGroup(entry) ? (
          <GroupEditor
            // Rules have no name of their own: their place is what tells them apart.
            key={at}
            group={entry}
            onChange={(next) => onChange(withEntry(group, at, next))}
            onRemove={() => onChange(withoutEntry(group, at))}
            depth={depth + 1}
            name={`${name}.rules.${at}`}
            path={`${path}rules.${at}.`}
            number={numberOf(at)}
            place={place}
            evaluation={evaluation}
          />
        ) : (
          <RuleLine
            key={at}
            rule={entry}
            number={numberOf(at)}
            name={`${name}.rules.${at}`}
            place={place}
            row={evaluation?.table.find((one) => one.path === `${path}rules.${at}`)}
            onChange={(next) => onChange(withEntry(group, at, next))}
            onRemove={() => onChange(withoutEntry(group, at))}
          />
        ),
      )}
      {fault && (
        <Text size="xs" c="var(--p2p-error)" role="alert">
          {fault}
        </Text>
      )}
      {!isReadOnly && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange(withMore(group, emptyRule))}
          >
            {t('rules.addRule')}
          </Button>
          {canNest(depth) && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconFolderPlus size={14} aria-hidden />}
              onClick={() => onChange(withMore(group, { ...emptyGroup, match: 'any', rules: [emptyRule] }))}
            >
              {t('rules.addGroup')}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}
