import { checkKeys } from '@pdf2press/preflight/contracts';
import type { KnownNames } from '@pdf2press/settings';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type FactChoice, factChoices, factGroups } from './fact-groups.ts';
import { useRuleSurroundings } from './rule-surroundings.ts';
import { useSettingsWords } from './settings-words.ts';

export interface NameItem {
  value: string;
  label: string;
}
export interface NameGroup {
  group: string;
  items: NameItem[];
}

/** The names that can be chosen, in groups, each with what it means in the reader's language. */
export function useNameGroups(
  known: KnownNames,
  fits: (name: string) => boolean = () => true,
): { groups: NameGroup[]; labelOf: (name: string) => string } {
  const { t } = useTranslation();
  const word = useSettingsWords();
  const { variables } = useRuleSurroundings();
  const choices = useMemo(() => factChoices(known, { variables, checks: checkKeys }), [known, variables]);
  const labelOf = ({ name, check }: FactChoice): string => {
    if (!check) return word(`variable.${name}`) ?? name;
    return t(`rules.check.${check.of}`, { check: t(`check.${check.key}`, { defaultValue: check.key }) });
  };
  const groups = factGroups.flatMap((group): NameGroup[] => {
    const items = choices
      .filter((choice) => choice.group === group && fits(choice.name))
      .map((choice) => ({ value: choice.name, label: labelOf(choice) }));
    return items.length > 0 ? [{ group: t(`rules.names.${group}`), items }] : [];
  });
  return {
    groups,
    labelOf: (name) => {
      const choice = choices.find((one) => one.name.toLowerCase() === name.toLowerCase());
      return choice ? labelOf(choice) : name;
    },
  };
}
