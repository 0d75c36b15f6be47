import { Select, TextInput } from '@mantine/core';
import { nearestLocale, severities } from '@pdf2press/contract';
import { type CheckKey, checkContracts } from '@pdf2press/preflight/contracts';
import type { Rule } from '@pdf2press/settings';
import { useTranslation } from 'react-i18next';

type Filter = Partial<NonNullable<Rule['findings']>>;

interface Props {
  value: Filter;
  checks: readonly string[];
  disabled: boolean;
  onChange: (filter: NonNullable<Rule['findings']>) => void;
}

const isCheck = (key: string | undefined): key is CheckKey => key !== undefined && Object.hasOwn(checkContracts, key);

/** Which findings a rule counts: of a check, of one rule of it, as severe, on these pages. */
export function FindingsFilter({ value, checks, disabled, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const { check, rule, severity = 'Info', pages } = value;
  const change = (next: Filter) => {
    const kept = Object.entries({ check, rule, severity, pages, ...next }).filter(([, each]) => each !== undefined);
    onChange({ severity, ...Object.fromEntries(kept) });
  };
  const rulesOf = (key: CheckKey) => {
    const { rules, messages } = checkContracts[key];
    return Object.keys(rules).map((each) => ({
      value: `${key}.${each}`,
      label: messages[nearestLocale(i18n.language)][`rules.${each}.label`] ?? each,
    }));
  };
  return (
    <>
      <Select
        label={t('rules.findings.check')}
        placeholder={t('rules.findings.anyCheck')}
        clearable
        searchable
        disabled={disabled}
        data={checks.map((key) => ({ value: key, label: t(`check.${key}`, { defaultValue: key }) }))}
        value={check ?? null}
        onChange={(next) => change({ check: next ?? undefined, rule: undefined })}
      />
      {isCheck(check) && (
        <Select
          label={t('rules.findings.rule')}
          placeholder={t('rules.findings.anyRule')}
          clearable
          searchable
          disabled={disabled}
          data={rulesOf(check)}
          value={rule ?? null}
          onChange={(next) => change({ rule: next ?? undefined })}
        />
      )}
      <Select
        label={t('rules.findings.severity')}
        allowDeselect={false}
        disabled={disabled}
        data={severities.map((each) => ({ value: each, label: t(`severity.${each}`) }))}
        value={severity}
        onChange={(next) => change({ severity: severities.find((each) => each === next) ?? 'Info' })}
      />
      <TextInput
        label={t('rules.findings.pages')}
        placeholder={t('rules.findings.pagesHint')}
        disabled={disabled}
        value={pages ?? ''}
        onChange={(event) => change({ pages: event.currentTarget.value || undefined })}
      />
    </>
  );
}
