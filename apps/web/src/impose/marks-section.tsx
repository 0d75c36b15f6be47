import { Collapse, Group, Stack, Switch, Text } from '@mantine/core';
import { type FieldShape, SettingsFields, type SettingsWords } from '@pdf2press/ui';
import { type Control, Controller, type FieldValues, useWatch } from 'react-hook-form';
import { useUnit } from '../preferences/use-unit.ts';
import classes from './impose.module.css';

type Settings = Extract<FieldShape, { kind: 'group' }>;

interface Props {
  shape: Settings;
  control: Control<FieldValues>;
  words: SettingsWords;
  isReadOnly: boolean;
}

/** The marks of a profile: each with its switch, and its settings while it is on. */
export function MarksSection({ shape, control, words, isReadOnly }: Props) {
  const marks = shape.fields.filter((field): field is [string, Settings] => field[1].kind === 'group');
  const whole: Settings = { kind: 'group', fields: shape.fields.filter(([, field]) => field.kind !== 'group') };
  const [unit, setUnit] = useUnit();
  const fields = { control, words, unit, onUnitChange: setUnit, isReadOnly };
  return (
    <Stack gap="md">
      <SettingsFields shape={whole} name="settings.marks" path="marks" {...fields} />
      <ul className={classes.marks}>
        {marks.map(([key, mark]) => (
          <OneMark key={key} name={`settings.marks.${key}`} label={words.label(`marks.${key}`)} {...fields}>
            <SettingsFields
              shape={{ kind: 'group', fields: mark.fields.filter(([field]) => field !== 'enabled') }}
              name={`settings.marks.${key}`}
              path={`marks.${key}`}
              {...fields}
            />
          </OneMark>
        ))}
      </ul>
    </Stack>
  );
}

function OneMark({
  name,
  label,
  control,
  isReadOnly,
  children,
}: {
  name: string;
  label: string;
  control: Control<FieldValues>;
  isReadOnly: boolean;
  children: React.ReactNode;
}) {
  const isOn = useWatch({ control, name: `${name}.enabled` }) === true;
  return (
    <li className={classes.mark}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={550} c={isOn ? '' : 'dimmed'}>
          {label}
        </Text>
        <Controller
          control={control}
          name={`${name}.enabled`}
          render={({ field }) => (
            <Switch
              aria-label={label}
              checked={field.value === true}
              disabled={isReadOnly}
              onChange={(event) => field.onChange(event.currentTarget.checked)}
            />
          )}
        />
      </Group>
      <Collapse expanded={isOn}>{isOn && <div className={classes.markFields}>{children}</div>}</Collapse>
    </li>
  );
}
