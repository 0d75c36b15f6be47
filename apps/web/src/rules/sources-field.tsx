import { ActionIcon, Fieldset, Group, Select, Stack, Text } from '@mantine/core';
import { nearestLocale } from '@pdf2press/contract';
import { type SourceContract, sourceContracts } from '@pdf2press/sources/contracts';
import { type FieldEditorProps, FieldSurroundings, SettingsFields, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { IconTrash } from '@tabler/icons-react';
import { useContext } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

const kinds: Readonly<Record<string, SourceContract>> = sourceContracts;
const polled = Object.values(kinds).filter(({ isPolled }) => isPolled);

/** The editor of the places that are looked into for files: each a kind of source with its own settings. */
export function SourcesField({ name, path, ...common }: FieldEditorProps) {
  const { t, i18n } = useTranslation();
  const { control, words, isReadOnly = false } = common;
  const { faultOf } = useContext(FieldSurroundings);
  const { fields, append, remove } = useFieldArray({ control, name });
  const locale = nearestLocale(i18n.language);
  const label = (kind: string) => kinds[kind]?.messages[locale].label ?? kind;
  const given = fields as unknown as { id: string; kind: string }[];
  return (
    <Fieldset legend={words.label(path)} radius="sm" p="sm" data-field={name}>
      <Stack gap="sm">
        {given.map(({ id, kind }, at) => (
          <Fieldset key={id} radius="sm" p="sm" legend={label(kind)}>
            <Group justify="space-between" wrap="nowrap" align="start" mb="xs">
              <Text size="xs" c="dimmed">
                {kinds[kind]?.messages[locale].help}
              </Text>
              <ActionIcon
                variant="subtle"
                color="error"
                disabled={isReadOnly}
                aria-label={t('rules.removeSource', { name: label(kind) })}
                onClick={() => remove(at)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
            {kinds[kind] && (
              <SettingsFields
                {...common}
                shape={shapeOf(kinds[kind].settings)}
                name={`${name}.${at}.settings`}
                words={wordsOf(kinds[kind], locale)}
              />
            )}
            {faultOf(`${name}.${at}.kind`) && (
              <Text size="xs" c="error">
                {faultOf(`${name}.${at}.kind`)}
              </Text>
            )}
          </Fieldset>
        ))}
        {!isReadOnly && (
          <Select
            label={t('rules.addSource')}
            placeholder={t('rules.choose')}
            data={polled.map(({ kind }) => ({ value: kind, label: label(kind) }))}
            value={null}
            onChange={(kind) => kind !== null && append({ kind, settings: {} })}
          />
        )}
      </Stack>
    </Fieldset>
  );
}

function wordsOf({ messages }: SourceContract, locale: ReturnType<typeof nearestLocale>): SettingsWords {
  const word = (key: string): string | undefined => messages[locale][`settings.${key}`];
  return {
    label: (path) => word(path) ?? path,
    help: (path) => word(`${path}.hint`),
    option: (path, value) => word(`${path}.${value}`) ?? value,
  };
}
