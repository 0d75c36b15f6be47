import { MultiSelect, NumberInput, SimpleGrid, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core';
import { type Locale, locales, nearestLocale, pageRangeSchema } from '@pdf2press/contract';
import { type CheckKey, checkContracts } from '@pdf2press/preflight/contracts';
import type { ReactNode } from 'react';
import { type Control, Controller, type FieldValues, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { languageNames } from '../language/language.ts';
import { checkWords } from './check-words.ts';
import { SeveritySelect } from './severity-select.tsx';

/** The badge behind a value that differs from the preset. */
export type Note = (path: string, sayOption: (value: string) => string) => ReactNode;

interface Props {
  checkKey: CheckKey;
  /** Path of the check in the form. */
  name: string;
  control: Control<FieldValues>;
  isReadOnly: boolean;
  note: Note;
}

const objectKinds = ['text', 'vector', 'image', 'shading', 'annotation'] as const;
const severities = ['Off', 'Info', 'Warn', 'Fail'] as const;
const undecided = ['Info', 'Warn', 'Fail'] as const;
const mostFindings = 10_000;

/** Pages and objects that a check examines, and the number of findings listed individually. */
export function CheckScope({ checkKey, name, control, isReadOnly, note }: Props) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="md">
      <Controller
        control={control}
        name={`${name}.pages`}
        rules={{ validate: (text) => !text || pageRangeSchema.safeParse(text).success || t('fix.pagesInvalid') }}
        render={({ field, fieldState }) => (
          <TextInput
            label={withNote(
              t('preflight.pages'),
              note('pages', (value) => value),
            )}
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
      {checkContracts[checkKey].findsObjects && (
        <Controller
          control={control}
          name={`${name}.objects`}
          render={({ field }) => (
            <MultiSelect
              label={withNote(
                t('fix.objects'),
                note('objects', (value) => t(`fix.option.${value}`)),
              )}
              description={t('preflight.help.objects')}
              placeholder={field.value ? '' : t('fix.objectsAll')}
              data={objectKinds.map((value) => ({ value, label: t(`fix.option.${value}`) }))}
              value={(field.value as string[] | null | undefined) ?? []}
              disabled={isReadOnly}
              onChange={(chosen) => field.onChange(chosen.length > 0 ? chosen : null)}
            />
          )}
        />
      )}
      <Controller
        control={control}
        name={`${name}.maxFindings`}
        rules={{
          validate: (value) =>
            (value ?? 1) >= 1 && (value ?? 1) <= mostFindings
              ? true
              : t('value.between', { min: 1, max: mostFindings }),
        }}
        render={({ field, fieldState }) => (
          <NumberInput
            label={withNote(
              t('preflight.maxFindings'),
              note('maxFindings', (value) => value),
            )}
            description={t('preflight.help.maxFindings')}
            min={1}
            max={mostFindings}
            clampBehavior="none"
            allowDecimal={false}
            disabled={isReadOnly}
            error={fieldState.error?.message}
            value={(field.value as number | undefined) ?? 200}
            onBlur={field.onBlur}
            onChange={(value) => field.onChange(value === '' ? undefined : Number(value))}
          />
        )}
      />
      <SeveritySelect
        control={control}
        name={`${name}.onCannotEvaluate`}
        label={withNote(
          t('preflight.onCannotEvaluate'),
          note('onCannotEvaluate', (value) => t(`severity.${value}`)),
        )}
        description={t('preflight.help.onCannotEvaluate')}
        options={undecided}
        initial="Fail"
        isReadOnly={isReadOnly}
      />
    </SimpleGrid>
  );
}

/** Severity of each rule; rules with a warning and an error limit decide themselves. */
export function CheckSeverities({ checkKey, name, control, isReadOnly, note }: Props) {
  const { t, i18n } = useTranslation();
  const words = checkWords(checkKey, i18n.language, t);
  const all = (useWatch({ control, name: `${name}.severity` }) as string | null | undefined) ?? null;
  const rules = Object.entries(checkContracts[checkKey].rules as Record<string, string>).filter(
    ([, initial]) => initial !== 'Measured',
  );
  if (rules.length === 0) return null;
  const say = (value: string) => t(`severity.${value}`);
  return (
    <Stack gap="md">
      {rules.length > 1 && (
        <SeveritySelect
          control={control}
          name={`${name}.severity`}
          label={withNote(t('preflight.severityOfAll'), note('severity', say))}
          description={t('preflight.help.severityOfAll')}
          options={undecided}
          initial={null}
          placeholder={t('preflight.severityOfRule')}
          isReadOnly={isReadOnly}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
        {rules.map(([rule, initial]) => (
          <SeveritySelect
            key={rule}
            control={control}
            name={`${name}.severities.${rule}`}
            label={withNote(words.rule(rule), note(`severities.${rule}`, say))}
            options={severities}
            initial={initial === 'Off' ? initial : (all ?? initial)}
            isReadOnly={isReadOnly}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

const audiences = ['message', 'operatorMessage'] as const;

/** Custom messages of the rules for customers and operators, per language. */
export function CheckTexts({ name, control, isReadOnly, note }: Omit<Props, 'checkKey'>) {
  const { t, i18n } = useTranslation();
  const written = useWatch({ control, name: audiences.map((audience) => `${name}.${audience}`) }) as (
    | Partial<Record<Locale, string>>
    | undefined
  )[];
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('preflight.ownWordsText', { measured: '{measured}', limit: '{limit}' })}
      </Text>
      <Tabs defaultValue={nearestLocale(i18n.language)} keepMounted={false}>
        <Tabs.List mb="sm">
          {locales.map((locale) => (
            <Tabs.Tab key={locale} value={locale} fw={written.some((texts) => texts?.[locale]) ? 700 : 400}>
              {languageNames[locale]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {locales.map((locale) => (
          <Tabs.Panel key={locale} value={locale}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {audiences.map((audience) => (
                <Controller
                  key={audience}
                  control={control}
                  name={`${name}.${audience}`}
                  render={({ field }) => {
                    const texts = (field.value ?? {}) as Partial<Record<Locale, string>>;
                    const change = (text: string) => {
                      const { [locale]: _, ...others } = texts;
                      field.onChange(text ? { ...others, [locale]: text } : others);
                    };
                    return (
                      <Textarea
                        label={withNote(
                          t(`preflight.${audience}`),
                          note(`${audience}.${locale}`, (value) => value),
                        )}
                        placeholder={t('preflight.ownWordsNone')}
                        autosize
                        minRows={2}
                        maxLength={2000}
                        disabled={isReadOnly}
                        value={texts[locale] ?? ''}
                        onChange={(event) => change(event.currentTarget.value)}
                      />
                    );
                  }}
                />
              ))}
            </SimpleGrid>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

/** The rule of a published standard for each rule of a check, copied into its findings. */
export function StandardRules({ checkKey, name, control, isReadOnly, note }: Props) {
  const { t, i18n } = useTranslation();
  const words = checkWords(checkKey, i18n.language, t);
  return (
    <Controller
      control={control}
      name={`${name}.standardRules`}
      render={({ field }) => {
        const given = (field.value ?? {}) as Record<string, string>;
        const change = (rule: string, text: string) => {
          const { [rule]: _, ...others } = given;
          field.onChange(text ? { ...others, [rule]: text } : others);
        };
        return (
          <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
            {Object.keys(checkContracts[checkKey].rules).map((rule) => (
              <TextInput
                key={rule}
                size="xs"
                label={withNote(
                  words.rule(rule),
                  note(`standardRules.${rule}`, (value) => value),
                )}
                placeholder="GWG2022:R0031"
                maxLength={100}
                disabled={isReadOnly}
                value={given[rule] ?? ''}
                onChange={(event) => change(rule, event.currentTarget.value)}
              />
            ))}
          </SimpleGrid>
        );
      }}
    />
  );
}

const withNote = (label: string, note: ReactNode): ReactNode =>
  note ? (
    <>
      {label} {note}
    </>
  ) : (
    label
  );
