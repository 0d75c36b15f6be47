import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { nearestLocale, pageRangeSchema } from '@pdf2press/contract';
import { type FixKey, fixContracts } from '@pdf2press/fix/contracts';
import { checkKeys, checkLabel } from '@pdf2press/preflight/contracts';
import { type Control, Controller, type FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

const objectKinds = ['text', 'vector', 'image', 'shading', 'annotation'] as const;
const failures = ['FailStep', 'WarnAndKeepOriginal'] as const;

type When =
  | { is: 'Always' }
  | { is: 'OnlyIfCheckHit'; check: string | null }
  | { is: 'Expression'; expression: string };

interface Props {
  control: Control<FieldValues>;
  name: string;
  actionKey: FixKey;
  isReadOnly: boolean;
}

/** Settings of every action: condition, pages, objects, and behaviour on failure. */
export function FixScope({ control, name, actionKey, isReadOnly }: Props) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Controller
        control={control}
        name={`${name}.when`}
        render={({ field }) => (
          <WhenFields
            control={control}
            name={`${name}.when`}
            actionKey={actionKey}
            value={field.value as When | null}
            onChange={field.onChange}
            isReadOnly={isReadOnly}
          />
        )}
      />
      <Controller
        control={control}
        name={`${name}.pages`}
        rules={{ validate: (text) => pageRangeSchema.safeParse(text).success || t('fix.pagesInvalid') }}
        render={({ field, fieldState }) => (
          <TextInput
            label={t('fix.pages')}
            description={t('fix.pagesHint')}
            disabled={isReadOnly}
            error={fieldState.error?.message}
            {...field}
            value={(field.value as string | undefined) ?? 'all'}
          />
        )}
      />
      <Controller
        control={control}
        name={`${name}.objects`}
        render={({ field }) => (
          <MultiSelect
            label={t('fix.objects')}
            placeholder={field.value ? '' : t('fix.objectsAll')}
            data={objectKinds.map((value) => ({ value, label: t(`fix.option.${value}`) }))}
            value={(field.value as string[] | null) ?? []}
            disabled={isReadOnly}
            onChange={(chosen) => field.onChange(chosen.length > 0 ? chosen : null)}
          />
        )}
      />
      <Controller
        control={control}
        name={`${name}.onError`}
        render={({ field }) => (
          <Select
            label={t('fix.onError')}
            data={failures.map((value) => ({ value, label: t(`fix.onError.${value}`) }))}
            value={(field.value as string | undefined) ?? 'FailStep'}
            allowDeselect={false}
            disabled={isReadOnly}
            onChange={field.onChange}
          />
        )}
      />
    </SimpleGrid>
  );
}

function WhenFields({
  control,
  name,
  actionKey,
  value,
  onChange,
  isReadOnly,
}: Props & { value: When | null; onChange: (value: When | null) => void }) {
  const { t } = useTranslation();
  const isPaired = fixContracts[actionKey].checks.length > 0;
  const kinds = [...(isPaired ? ['Paired'] : []), 'Always', 'OnlyIfCheckHit', 'Expression'];
  // The default is Always if no check is paired with the action.
  const kind = value?.is ?? (isPaired ? 'Paired' : 'Always');
  const change = (next: string | null): void => {
    if (next === 'Expression') onChange({ is: 'Expression', expression: '' });
    else if (next === 'OnlyIfCheckHit')
      onChange({ is: 'OnlyIfCheckHit', check: isPaired ? null : (checkKeys[0] ?? null) });
    else if (next === 'Always') onChange({ is: 'Always' });
    else onChange(null);
  };
  return (
    <>
      <Select
        label={t('fix.when')}
        data={kinds.map((one) => ({ value: one, label: t(`fix.when.${one}`) }))}
        value={kind}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={change}
      />
      {kind === 'OnlyIfCheckHit' && (
        <Controller
          control={control}
          name={`${name}.check`}
          render={({ field, fieldState }) => (
            <CheckSelect
              actionKey={actionKey}
              value={field.value as string | null}
              onChange={field.onChange}
              error={fieldState.error?.message}
              isReadOnly={isReadOnly}
            />
          )}
        />
      )}
      {kind === 'Expression' && (
        <Controller
          control={control}
          name={`${name}.expression`}
          render={({ field, fieldState }) => (
            <TextInput
              label={t('fix.when.expression')}
              description={t('fix.when.expressionHint')}
              withAsterisk
              disabled={isReadOnly}
              error={fieldState.error?.message}
              {...field}
              value={(field.value as string | undefined) ?? ''}
            />
          )}
        />
      )}
    </>
  );
}

interface CheckSelectProps {
  actionKey: FixKey;
  value: string | null;
  onChange: (check: string | null) => void;
  error: string | undefined;
  isReadOnly: boolean;
}

/** All checks, those paired with the action first. */
function CheckSelect({ actionKey, value, onChange, error, isReadOnly }: CheckSelectProps) {
  const { t, i18n } = useTranslation();
  const paired: readonly string[] = fixContracts[actionKey].checks;
  const option = (check: string) => ({ value: check, label: checkLabel(check, nearestLocale(i18n.language)) });
  const others = checkKeys.filter((check) => !paired.includes(check)).map(option);
  return (
    <Select
      label={t('fix.when.check')}
      placeholder={t('fix.when.anyCheck')}
      clearable={paired.length > 0}
      allowDeselect={paired.length > 0}
      searchable
      data={
        paired.length > 0
          ? [
              { group: t('fix.when.pairedChecks'), items: paired.map(option) },
              { group: t('fix.when.otherChecks'), items: others },
            ]
          : others
      }
      value={value}
      disabled={isReadOnly}
      error={error}
      onChange={onChange}
    />
  );
}
