import {
  ActionIcon,
  Alert,
  Button,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { variableTypes, type WorkflowVariable, workflowVariableSchema } from '@pdf2press/contract';
import { FieldSurroundings, TextSetting } from '@pdf2press/ui';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { profileFields } from '../rules/field-editors.tsx';
import { RuleSurroundingsProvider } from '../rules/rule-surroundings.ts';
import { SampleSession } from '../rules/sample-session.tsx';
import classes from './builder.module.css';
import { useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { SidePanel } from './side-panel.tsx';

/** The variables of the workflow: what is asked or read when a file comes in, and what steps and profiles use. */
export function VariablesPanel() {
  const { t } = useTranslation();
  const builder = useBuilder();
  const { variables } = useDraft();
  const field = useBuilt((state) => state.field);
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const change = (at: number, variable: WorkflowVariable) =>
    builder.setVariables(variables.map((one, index) => (index === at ? variable : one)));
  const add = () => {
    const taken = new Set(variables.map(({ name }) => name.toLowerCase()));
    let number = 1;
    while (taken.has(`variable${number}`)) number += 1;
    builder.setVariables([
      ...variables,
      { name: `variable${number}`, type: 'String', default: null, isRequired: false, isPublic: false, options: [] },
    ]);
  };
  const workflowId = useBuilt((state) => state.workflowId);
  const rules = useMemo(() => ({ variables, workflowId, evaluationOf: () => undefined }), [variables, workflowId]);
  return (
    <SidePanel title={t('builder.variables')} field={field}>
      <RuleSurroundingsProvider value={rules}>
        <FieldSurroundings value={profileFields}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t('builder.variablesText')}
            </Text>
            {variables.some(({ type }) => type === 'String') && <SampleSession workflowId={workflowId} />}
            {variables.map((variable, at) => (
              <VariableCard
                // A name changes while it is typed: the place in the list is what stays.
                key={at}
                variable={variable}
                isReadOnly={isReadOnly}
                onChange={(next) => change(at, next)}
                onRemove={() => builder.setVariables(variables.filter((_, index) => index !== at))}
              />
            ))}
            {!isReadOnly && (
              <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
                {t('builder.addVariable')}
              </Button>
            )}
          </Stack>
        </FieldSurroundings>
      </RuleSurroundingsProvider>
    </SidePanel>
  );
}

interface CardProps {
  variable: WorkflowVariable;
  isReadOnly: boolean;
  onChange: (variable: WorkflowVariable) => void;
  onRemove: () => void;
}

function VariableCard({ variable, isReadOnly, onChange, onRemove }: CardProps) {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const allIssues = useBuilt((state) => state.issues);
  const issues = allIssues.filter((issue) => issue.variable === variable.name);
  const { name, type, isRequired, isPublic, options } = variable;
  const isNamed = workflowVariableSchema.shape.name.safeParse(name).success;
  const faultAt = (field?: string) =>
    issues
      .filter((issue) => issue.field === field)
      .map(words.issue)
      .join(' ') || undefined;
  return (
    <fieldset className={classes.variable} data-field={name} disabled={isReadOnly}>
      <legend className="visually-hidden">{name}</legend>
      <div className={classes.variableHead}>
        <TextInput
          label={t('field.name')}
          value={name}
          maxLength={60}
          error={isNamed ? faultAt() : t('builder.variable.nameRule')}
          onChange={(event) => onChange({ ...variable, name: event.currentTarget.value })}
        />
        <Select
          label={t('builder.variable.type')}
          data={variableTypes.map((value) => ({ value, label: t(`builder.variable.type.${value}`) }))}
          value={type}
          allowDeselect={false}
          onChange={(next) => {
            const chosen = variableTypes.find((one) => one === next);
            if (chosen) onChange({ ...variable, type: chosen, default: null });
          }}
        />
        <ActionIcon
          variant="subtle"
          color="error"
          size="lg"
          aria-label={t('builder.removeVariable', { name })}
          onClick={onRemove}
        >
          <IconTrash size={17} aria-hidden />
        </ActionIcon>
      </div>
      {type === 'Select' && (
        <div data-field={`${name}.options`}>
          <TagsInput
            label={t('builder.variable.options')}
            value={options}
            error={faultAt('options')}
            maxTags={200}
            acceptValueOnBlur
            onChange={(next) => onChange({ ...variable, options: next })}
          />
        </div>
      )}
      <div data-field={`${name}.default`}>
        <DefaultField
          variable={variable}
          error={faultAt('default')}
          onChange={(value) => onChange({ ...variable, default: value })}
        />
      </div>
      <Switch
        label={t('builder.variable.required')}
        checked={isRequired}
        onChange={(event) => onChange({ ...variable, isRequired: event.currentTarget.checked })}
      />
      <Switch
        label={t('builder.variable.public')}
        checked={isPublic}
        onChange={(event) => onChange({ ...variable, isPublic: event.currentTarget.checked })}
      />
      {isRequired && variable.default === null && !isPublic && (
        <Alert color="info" variant="light" p="xs">
          {t('builder.variable.requiredText')}
        </Alert>
      )}
    </fieldset>
  );
}

function DefaultField({
  variable: { type, options, default: value },
  error,
  onChange,
}: {
  variable: WorkflowVariable;
  error: string | undefined;
  onChange: (value: WorkflowVariable['default']) => void;
}) {
  const { t } = useTranslation();
  const label = t('builder.variable.default');
  if (type === 'YesNo' || type === 'Select') {
    const choices = type === 'YesNo' ? ['true', 'false'] : [...new Set(options)];
    const say = (choice: string) => (type === 'Select' ? choice : t(choice === 'true' ? 'common.yes' : 'common.no'));
    return (
      <Select
        label={label}
        error={error}
        clearable
        data={choices.map((choice) => ({ value: choice, label: say(choice) }))}
        value={value === null ? null : String(value)}
        onChange={(next) => onChange(next === null ? null : type === 'YesNo' ? next === 'true' : next)}
      />
    );
  }
  if (type === 'Number')
    return (
      <NumberInput
        label={label}
        error={error}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      />
    );
  return (
    <TextSetting
      label={label}
      description={undefined}
      error={error}
      disabled={false}
      lines={1}
      placeholders="session"
      value={value === null ? '' : String(value)}
      onChange={(text) => onChange(text === '' ? null : text)}
    />
  );
}
