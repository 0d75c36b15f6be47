import { Accordion, Badge, Group, Select, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { pageRangeSchema } from '@pdf2press/contract';
import { type CheckKey, checkContracts } from '@pdf2press/prepress/contracts';
import { type FieldShape, SettingsFields, type SettingsWords } from '@pdf2press/ui';
import { type Control, Controller, type FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnit } from '../preferences/use-unit.ts';
import { ChangedBadge } from './changed-badge.tsx';
import { shapeAt } from './check-search.ts';
import { checkWords } from './check-words.ts';
import { type Differences, differencesIn } from './preset-differences.ts';

const severities = ['Off', 'Info', 'Warn', 'Fail'] as const;
const undecided = ['Info', 'Warn', 'Fail'] as const;

interface Props {
  checkKey: CheckKey;
  shape: FieldShape | undefined;
  at: number;
  isOn: boolean;
  differences: Differences | null;
  control: Control<FieldValues>;
  isReadOnly: boolean;
  onToggle: (isOn: boolean) => void;
}

/** A check with its switch; open, its limits, how its findings count, and where it looks. */
export function CheckCard({ checkKey, shape, at, isOn, differences, control, isReadOnly, onToggle }: Props) {
  const { t, i18n } = useTranslation();
  const [unit, setUnit] = useUnit();
  const words = checkWords(checkKey, i18n.language);
  const changes = differences ? differencesIn(differences, checkKey) : 0;
  /** The badge behind a value of this check that differs from the preset. */
  const note = (path: string, sayOption: (value: string) => string) => {
    const whole = `${checkKey}.${path}`;
    if (!differences?.has(whole)) return null;
    const field = shape && shapeAt(shape, path.split('.').slice(1));
    const isLength = field?.kind === 'lengths' || (field?.kind === 'number' && field.unit === 'length');
    return <ChangedBadge value={differences.get(whole)} sayOption={sayOption} isLength={isLength} />;
  };
  const settingsWords: SettingsWords = {
    ...words,
    note: (path) => note(`settings.${path}`, (value) => words.option(path, value)),
  };
  return (
    <Accordion.Item value={checkKey}>
      <Group wrap="nowrap" gap={0} pe="md">
        <Accordion.Control disabled={!isOn}>
          <Group gap={8}>
            <Text fw={550}>{words.name}</Text>
            {changes > 0 && (
              <Badge size="xs" variant="light" color="info" tt="none" fw={500}>
                {t('preflight.differences', { count: changes })}
              </Badge>
            )}
          </Group>
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
              words={settingsWords}
              unit={unit}
              onUnitChange={setUnit}
              isReadOnly={isReadOnly}
            />
          )}
          <Severities checkKey={checkKey} at={at} control={control} isReadOnly={isReadOnly} note={note} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt="lg">
            <Controller
              control={control}
              name={`settings.checks.${at}.pages`}
              rules={{ validate: (text) => !text || pageRangeSchema.safeParse(text).success || t('fix.pagesInvalid') }}
              render={({ field, fieldState }) => (
                <TextInput
                  label={
                    <>
                      {t('preflight.pages')} {note('pages', (value) => value)}
                    </>
                  }
                  description={t('preflight.help.pageRange')}
                  placeholder={t('preflight.pagesOfProfile')}
                  disabled={isReadOnly}
                  error={fieldState.error?.message}
                  value={(field.value as string | null | undefined) ?? ''}
                  onBlur={field.onBlur}
                  onChange={(event) => field.onChange(event.currentTarget.value || null)}
                />
              )}
            />
            <SeveritySelect
              control={control}
              name={`settings.checks.${at}.onCannotEvaluate`}
              label={t('preflight.onCannotEvaluate')}
              note={note('onCannotEvaluate', (value) => t(`severity.${value}`))}
              options={undecided}
              initial="Fail"
              isReadOnly={isReadOnly}
            />
          </SimpleGrid>
        </Accordion.Panel>
      )}
    </Accordion.Item>
  );
}

/** How bad each rule's finding is; rules with a warn and a fail limit decide for themselves. */
function Severities({
  checkKey,
  at,
  control,
  isReadOnly,
  note,
}: Pick<Props, 'checkKey' | 'at' | 'control' | 'isReadOnly'> & {
  note: (path: string, sayOption: (value: string) => string) => React.ReactNode;
}) {
  const { t, i18n } = useTranslation();
  const words = checkWords(checkKey, i18n.language);
  const rules = Object.entries(checkContracts[checkKey].rules as Record<string, string>).filter(
    ([, initial]) => initial !== 'Measured',
  );
  if (rules.length === 0) return null;
  return (
    <>
      <Text fw={600} size="sm" mt="lg" mb="xs">
        {t('preflight.severities')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
        {rules.map(([rule, initial]) => (
          <SeveritySelect
            key={rule}
            control={control}
            name={`settings.checks.${at}.severities.${rule}`}
            label={words.rule(rule)}
            note={note(`severities.${rule}`, (value) => t(`severity.${value}`))}
            options={severities}
            initial={initial}
            isReadOnly={isReadOnly}
          />
        ))}
      </SimpleGrid>
    </>
  );
}

function SeveritySelect({
  control,
  name,
  label,
  note,
  options,
  initial,
  isReadOnly,
}: {
  control: Control<FieldValues>;
  name: string;
  label: string;
  note: React.ReactNode;
  options: readonly string[];
  initial: string;
  isReadOnly: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <Select
          size="xs"
          label={
            <>
              {label} {note}
            </>
          }
          disabled={isReadOnly}
          allowDeselect={false}
          data={options.map((value) => ({ value, label: t(`severity.${value}`) }))}
          value={(field.value as string | undefined) ?? initial}
          onChange={field.onChange}
        />
      )}
    />
  );
}
