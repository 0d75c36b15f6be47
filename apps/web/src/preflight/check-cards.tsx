import { Accordion, Badge, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { type CheckKey, checkContracts, checkGroups, checkKeys } from '@pdf2press/preflight/contracts';
import { shapeOf } from '@pdf2press/ui';
import { IconSearch } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useDeferredValue, useState } from 'react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { controlOf, type ProfileValues } from '../profiles/use-profile-form.ts';
import { CheckCard } from './check-card.tsx';
import { isFound, settingPaths } from './check-search.ts';
import { checkWords } from './check-words.ts';
import classes from './preflight.module.css';
import { type Differences, differencesIn } from './preset-differences.ts';

interface Props {
  form: UseFormReturn<ProfileValues>;
  /** Null where the profile came from no preset. */
  differences: Differences | null;
  isReadOnly: boolean;
}

export const checkShapes = new Map(checkKeys.map((key) => [key, shapeOf(checkContracts[key].settings)]));

/** All texts of a check, for the search. */
function textsOf(key: CheckKey, language: string, t: TFunction): (string | undefined)[] {
  const words = checkWords(key, language, t);
  const shape = checkShapes.get(key);
  const paths = shape ? settingPaths(shape) : [];
  return [
    key,
    words.name,
    words.about,
    ...paths.flatMap((path) => [words.label(path), words.help(path)]),
    ...Object.keys(checkContracts[key].rules).map(words.rule),
  ];
}

/** All checks by group. Enabling one adds it to the profile with its defaults; only enabled checks can be opened. */
export function CheckCards({ form, differences, isReadOnly }: Props) {
  const { t, i18n } = useTranslation();
  const control = controlOf(form);
  const { fields, append, update } = useFieldArray({ control, name: 'settings.checks' });
  const chosen = fields as { id: string; key: CheckKey; enabled?: boolean }[];
  const [search, setSearch] = useState('');
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const asked = useDeferredValue(search);
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
  const isShown = (key: CheckKey): boolean =>
    (!isOnlyChanged || (differences !== null && differencesIn(differences, key) > 0)) &&
    isFound(asked, textsOf(key, i18n.language, t));
  const shown = checkKeys.filter(isShown);
  return (
    <>
      <Group align="center">
        <TextInput
          style={{ flex: 1, minInlineSize: 220 }}
          type="search"
          aria-label={t('preflight.search')}
          placeholder={t('preflight.search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        {differences && (
          <>
            <Badge variant="light" color={differences.size > 0 ? 'info' : 'neutral'} tt="none" fw={500}>
              {differences.size > 0
                ? t('preflight.differences', { count: differences.size })
                : t('preflight.noDifferences')}
            </Badge>
            <Checkbox
              label={t('preflight.onlyChanged')}
              checked={isOnlyChanged}
              onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
            />
          </>
        )}
      </Group>
      {shown.length === 0 && (
        <Text c="dimmed" role="status">
          {t('preflight.searchNothing')}
        </Text>
      )}
      {checkGroups.map((group) => {
        const keys = shown.filter((key) => checkContracts[key].group === group);
        if (keys.length === 0) return null;
        return (
          <section key={group} aria-label={t(`checkGroup.${group}`)}>
            <Text component="h2" fw={600} c="dimmed" size="sm" mb={6}>
              {t(`checkGroup.${group}`)}
            </Text>
            <Accordion variant="separated" multiple chevronPosition="left" className={classes.checks}>
              {keys.map((key) => {
                const at = chosen.findIndex((check) => check.key === key);
                return (
                  <CheckCard
                    key={key}
                    checkKey={key}
                    shape={checkShapes.get(key)}
                    at={at}
                    isOn={at >= 0 && chosen[at]?.enabled !== false}
                    differences={differences}
                    control={control}
                    isReadOnly={isReadOnly}
                    onToggle={(next) => toggle(key, next)}
                  />
                );
              })}
            </Accordion>
          </section>
        );
      })}
    </>
  );
}
