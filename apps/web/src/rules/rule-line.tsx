import { ActionIcon, Checkbox, Group, Select, Text } from '@mantine/core';
import { checkKeys } from '@pdf2press/preflight/contracts';
import {
  type FactType,
  findingsFact,
  type KnownNames,
  nameKey,
  type Operand,
  type Operator,
  operatorOf,
  type Rule,
} from '@pdf2press/settings';
import { FieldSurroundings } from '@pdf2press/ui';
import { IconTrash, IconVariable } from '@tabler/icons-react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { FindingsFilter } from './findings-filter.tsx';
import { NameSelect } from './name-select.tsx';
import { ConstantField, ListField } from './operand-field.tsx';
import { operandsIn, operatorNamesOf, withFact, withOperand, withOperator } from './rule-edits.ts';
import type { Evaluation } from './rule-surroundings.ts';
import classes from './rules.module.css';
import { useSettingsWords } from './settings-words.ts';
import type { NameGroup } from './use-fact-words.ts';
import { useOptionWords } from './use-option-words.ts';
import { useShownFact, Verdict } from './verdict.tsx';

/** What all rules of an editor share. */
export interface RulePlace {
  known: KnownNames;
  groups: readonly NameGroup[];
  labelOf: (name: string) => string;
  isReadOnly: boolean;
}

interface Props {
  rule: Rule;
  /** `2.1`: the first in the second group. */
  number: string;
  /** In the form. */
  name: string;
  place: RulePlace;
  /** How it comes out with the session that was chosen. */
  row: Evaluation['table'][number] | undefined;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
}

/** One rule: what is looked at, the comparison, the values. */
export function RuleLine({ rule, number, name, place, row, onChange, onRemove }: Props) {
  const { t } = useTranslation();
  const word = useSettingsWords();
  const shown = useShownFact();
  const { faultOf } = useContext(FieldSurroundings);
  const { known, groups, isReadOnly } = place;
  const fact = known.get(rule.fact);
  const operator = fact && operatorOf(fact.type, rule.operator);
  return (
    <fieldset className={classes.rule} aria-label={t('rules.rule', { number })} data-field={name}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" fw={600} c="dimmed">
          {t('rules.rule', { number })}
        </Text>
        <Group gap={4} wrap="nowrap">
          {row && (
            <Verdict isTrue={row.verdict}>
              {row.actual === null ? t('rules.notKnown') : t('rules.found', { value: shown(row.type, row.actual) })}
            </Verdict>
          )}
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="error"
              aria-label={t('rules.removeRule', { number })}
              onClick={onRemove}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </Group>
      <div data-field={`${name}.fact`}>
        <NameSelect
          label={t('rules.fact')}
          groups={groups}
          value={rule.fact}
          disabled={isReadOnly}
          error={faultOf(`${name}.fact`)}
          onChange={(next) => onChange(withFact(rule, next, fact?.type, known.get(next)?.type ?? 'String'))}
        />
      </div>
      {nameKey(rule.fact) === findingsFact && (
        <FindingsFilter
          value={rule.findings ?? {}}
          checks={checkKeys}
          disabled={isReadOnly}
          onChange={(findings) => onChange({ ...rule, findings })}
        />
      )}
      {fact && (
        <div data-field={`${name}.operator`}>
          <Select
            label={t('rules.operator')}
            disabled={isReadOnly}
            error={faultOf(`${name}.operator`)}
            allowDeselect={false}
            data={operatorNamesOf(fact.type).map((each) => ({ value: each, label: word(`operator.${each}`) ?? each }))}
            value={operator ? rule.operator : null}
            onChange={(next) => next !== null && onChange(withOperator(rule, fact.type, next))}
          />
        </div>
      )}
      {fact && operator && operator.count !== 'none' && (
        <div data-field={`${name}.value`} className={classes.values}>
          <Values rule={rule} type={fact.type} operator={operator} name={name} place={place} onChange={onChange} />
        </div>
      )}
      {operator && ['text', 'pattern'].includes(operator.asks) && (
        <Checkbox
          size="xs"
          label={t('rules.caseSensitive')}
          disabled={isReadOnly}
          checked={rule.isCaseSensitive ?? false}
          onChange={(event) => onChange({ ...rule, isCaseSensitive: event.currentTarget.checked })}
        />
      )}
    </fieldset>
  );
}

interface ValuesProps extends Pick<Props, 'rule' | 'name' | 'place' | 'onChange'> {
  type: FactType;
  operator: Operator;
}

/** The values of a rule: one, two, or a list. */
function Values({ rule, type, operator, name, place, onChange }: ValuesProps) {
  const { t } = useTranslation();
  const { faultOf } = useContext(FieldSurroundings);
  const optionWords = useOptionWords();
  const options = place.known.get(rule.fact)?.options;
  const isOwn = place.labelOf(rule.fact) === rule.fact;
  const kind = {
    asks: operator.asks,
    type,
    options: options?.map((value) => ({ value, label: isOwn ? value : optionWords(value) })) ?? null,
  };
  if (operator.count === 'many') {
    const operands = operandsIn(rule).filter((operand) => operand !== undefined);
    const fault = faultOf(`${name}.value`) ?? operands.map((_, at) => faultOf(`${name}.value.${at}`)).find(Boolean);
    return (
      <ListField
        label={t('rules.values')}
        kind={kind}
        value={operands}
        disabled={place.isReadOnly}
        error={fault}
        onChange={(value) => onChange({ ...rule, value })}
      />
    );
  }
  const isPair = operator.count === 'two';
  return [0, 1]
    .slice(0, isPair ? 2 : 1)
    .map((at) => (
      <OneValue
        key={at}
        label={t(isPair ? (at === 0 ? 'rules.from' : 'rules.to') : 'rules.value')}
        operand={operandsIn(rule)[at]}
        kind={kind}
        place={place}
        error={faultOf(isPair ? `${name}.value.${at}` : `${name}.value`) ?? (at === 0 && faultOf(`${name}.value`))}
        onChange={(operand) => onChange(withOperand(rule, at, isPair ? 'two' : 'one', operand))}
      />
    ));
}

interface OneProps {
  label: string;
  operand: Operand | undefined;
  kind: { asks: Operator['asks']; type: FactType; options: { value: string; label: string }[] | null };
  place: RulePlace;
  error: string | false | undefined;
  onChange: (operand: Operand | undefined) => void;
}

/** A constant, or the variable whose value counts when the rule is looked at. */
function OneValue({ label, operand, kind, place, error, onChange }: OneProps) {
  const { t } = useTranslation();
  const { groups, isReadOnly } = place;
  const isVariable = typeof operand === 'object';
  return (
    <Group gap={4} wrap="nowrap" align="start">
      <div className={classes.value}>
        {isVariable ? (
          <NameSelect
            label={label}
            groups={groups}
            value={operand.variable}
            disabled={isReadOnly}
            error={error}
            onChange={(variable) => onChange({ variable })}
          />
        ) : (
          <ConstantField
            label={label}
            kind={kind}
            value={operand}
            disabled={isReadOnly}
            error={error || undefined}
            onChange={onChange}
          />
        )}
      </div>
      <ActionIcon
        variant={isVariable ? 'filled' : 'default'}
        size="lg"
        mt={24}
        disabled={isReadOnly}
        aria-pressed={isVariable}
        aria-label={t('rules.useVariable', { field: label })}
        title={t('rules.useVariable', { field: label })}
        onClick={() => onChange(isVariable ? undefined : { variable: '' })}
      >
        <IconVariable size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
