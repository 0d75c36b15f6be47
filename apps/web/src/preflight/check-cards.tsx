import { Accordion, Group, Select, SimpleGrid, Switch, Text } from '@mantine/core';
import { type CheckKey, checkContracts, checkGroups, checkKeys } from '@pdf2press/prepress/contracts';
import { SettingsFields, shapeOf } from '@pdf2press/ui';
import { type Control, Controller, type FieldValues, type UseFormReturn, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnit } from '../preferences/use-unit.ts';
import type { ProfileValues } from '../profiles/use-profile-form.ts';
import { checkWords } from './check-words.ts';
import classes from './preflight.module.css';

interface Props {
  form: UseFormReturn<ProfileValues>;
  isReadOnly: boolean;
}

const severities = ['Off', 'Info', 'Warn', 'Fail'] as const;
const shapes = new Map(checkKeys.map((key) => [key, shapeOf(checkContracts[key].settings)]));

/** All checks there are, by group. Switching one on puts it into the profile with its defaults; only those can be opened. */
export function CheckCards({ form, isReadOnly }: Props) {
  const { t } = useTranslation();
  const control = form.control as unknown as Control<FieldValues>;
  const { fields, append, update } = useFieldArray({ control, name: 'settings.checks' });
  const chosen = fields as unknown as { id: string; key: CheckKey; enabled?: boolean }[];
  const toggle = (key: CheckKey, isOn: boolean) => {
    const at = chosen.findIndex((check) => check.key === key);
    if (at < 0)
      append({
        key,
        version: checkContracts[key].version,
        enabled: true,
        settings: checkContracts[key].settings.parse({}),
        severities: {},
      });
    else update(at, { ...(form.getValues(`settings.checks.${at}` as never) as object), enabled: isOn });
  };
  return checkGroups.map((group) => {
    const keys = checkKeys.filter((key) => checkContracts[key].group === group);
    if (keys.length === 0) return null;
    return (
      <section key={group} aria-label={t(`checkGroup.${group}`)}>
        <Text component="h2" fw={600} c="dimmed" size="sm" mb={6}>
          {t(`checkGroup.${group}`)}
        </Text>
        <Accordion variant="separated" multiple chevronPosition="left" className={classes.checks}>
          {keys.map((key) => {
            const at = chosen.findIndex((check) => check.key === key);
            const isOn = at >= 0 && chosen[at]?.enabled !== false;
            return (
              <CheckCard
                key={key}
                checkKey={key}
                at={at}
                isOn={isOn}
                control={control}
                isReadOnly={isReadOnly}
                onToggle={(next) => toggle(key, next)}
              />
            );
          })}
        </Accordion>
      </section>
    );
  });
}

interface CardProps {
  checkKey: CheckKey;
  at: number;
  isOn: boolean;
  control: Control<FieldValues>;
  isReadOnly: boolean;
  onToggle: (isOn: boolean) => void;
}

function CheckCard({ checkKey, at, isOn, control, isReadOnly, onToggle }: CardProps) {
  const { t, i18n } = useTranslation();
  const [unit, setUnit] = useUnit();
  const words = checkWords(checkKey, i18n.language);
  const rules = Object.entries(checkContracts[checkKey].rules as Record<string, string>);
  const shape = shapes.get(checkKey);
  return (
    <Accordion.Item value={checkKey}>
      <Group wrap="nowrap" gap={0} pe="md">
        <Accordion.Control disabled={!isOn}>
          <Text fw={550}>{words.name}</Text>
          {words.about && (
            <Text size="sm" c="dimmed" lineClamp={1}>
              {words.about}
            </Text>
          )}
        </Accordion.Control>
        <Switch
          aria-label={words.name}
          checked={isOn}
          disabled={isReadOnly}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />
      </Group>
      {isOn && (
        <Accordion.Panel>
          {shape && (
            <SettingsFields
              shape={shape}
              name={`settings.checks.${at}.settings`}
              control={control}
              words={words}
              unit={unit}
              onUnitChange={setUnit}
              isReadOnly={isReadOnly}
            />
          )}
          <Text fw={600} size="sm" mt="lg" mb="xs">
            {t('preflight.severities')}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
            {rules
              .filter(([, initial]) => initial !== 'Measured')
              .map(([rule, initial]) => (
                <Controller
                  key={rule}
                  control={control}
                  name={`settings.checks.${at}.severities.${rule}`}
                  render={({ field }) => (
                    <Select
                      size="xs"
                      label={words.rule(rule)}
                      disabled={isReadOnly}
                      allowDeselect={false}
                      data={severities.map((value) => ({ value, label: t(`severity.${value}`) }))}
                      value={(field.value as string | undefined) ?? initial}
                      onChange={field.onChange}
                    />
                  )}
                />
              ))}
          </SimpleGrid>
        </Accordion.Panel>
      )}
    </Accordion.Item>
  );
}
