import { ActionIcon, Fieldset, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { doorChecks, nearestLocale, type WayIn, wayOfSource, waysIn } from '@pdf2press/contract';
import { type SourceContract, sourceContracts } from '@pdf2press/sources/contracts';
import { type FieldEditorProps, FieldSurroundings, SettingsFields, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import { useController, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

const kinds: Readonly<Record<string, SourceContract>> = sourceContracts;
const wayOf = ({ way, sessionSource }: SourceContract): WayIn => way ?? wayOfSource[sessionSource];
/** Kinds of places that are looked into for files, by the way that their files take. */
const polledBy = (way: WayIn): SourceContract[] =>
  Object.values(kinds).filter((kind) => kind.isPolled && !kind.isNamedByConnection && wayOf(kind) === way);
/** Ways whose places name the workflow themselves, and where they are kept. */
const placesElsewhere = {
  email: { text: 'rules.mailboxPlace', place: 'nav.email' },
  cloudFolder: { text: 'rules.cloudPlace', place: 'nav.cloudStorage' },
} as const;
const isElsewhere = (way: WayIn): way is keyof typeof placesElsewhere => Object.hasOwn(placesElsewhere, way);

/**
 * The editor of the ways that lead into a workflow: each with its switch and, where files are fetched, the places that are
 * looked into. The places are the setting `sources` beside it.
 */
export function WaysInField({ name, path, ...common }: FieldEditorProps) {
  const { t, i18n } = useTranslation();
  const { control, words, isReadOnly = false } = common;
  const sources = name.replace(/[^.]+$/, 'sources');
  const { fields, append, remove } = useFieldArray({ control, name: sources });
  const given = fields as unknown as { id: string; kind: string }[];
  const locale = nearestLocale(i18n.language);
  const label = (kind: string) => kinds[kind]?.messages[locale].label ?? kind;
  const placesOf = (way: WayIn | null) =>
    given.flatMap(({ id, kind }, at) =>
      (kinds[kind] ? wayOf(kinds[kind]) : null) === way
        ? [
            <Place
              key={id}
              kind={kind}
              name={`${sources}.${at}`}
              onRemove={isReadOnly ? null : () => remove(at)}
              {...common}
            />,
          ]
        : [],
    );
  return (
    <Fieldset legend={words.label(path)} radius="sm" p="sm" data-field={name}>
      <Text size="sm" c="dimmed" mb="sm">
        {words.help(path)}
      </Text>
      <Stack gap="md">
        {waysIn.map((way) => {
          const offered = polledBy(way);
          return (
            <Way key={way} name={`${name}.${way}`} path={`${path}.${way}`} {...common} places={placesOf(way)}>
              {offered.length > 0 && !isReadOnly && (
                <Select
                  size="sm"
                  aria-label={t('rules.addPlaceTo', {
                    way: words.label(`${path}.${way}`),
                  })}
                  placeholder={t('rules.addSource')}
                  data={offered.map(({ kind }) => ({
                    value: kind,
                    label: label(kind),
                  }))}
                  value={null}
                  onChange={(kind) => kind !== null && append({ kind, settings: {} })}
                />
              )}
              {way === 'uploadPage' && <DoorCheckField name={name.replace(/[^.]+$/, 'doorCheck')} {...common} />}
              {offered.length === 0 && isElsewhere(way) && (
                <Text size="xs" c="dimmed">
                  {t(placesElsewhere[way].text, { place: t(placesElsewhere[way].place) })}
                </Text>
              )}
            </Way>
          );
        })}
        {/* Of kinds that this release does not have: to be seen and removed. */}
        {placesOf(null)}
      </Stack>
    </Fieldset>
  );
}

type Common = Omit<FieldEditorProps, 'name' | 'path'>;

/** Whether files of the upload page are checked before they are sent: the setting `doorCheck` beside the ways. */
function DoorCheckField({ name, control, words, isReadOnly = false }: Common & { name: string }) {
  const { field } = useController({ control, name });
  const path = 'doorCheck';
  return (
    <Select
      size="sm"
      label={words.label(path)}
      description={words.help(path)}
      data-field={name}
      disabled={isReadOnly}
      allowDeselect={false}
      data={doorChecks.map((value) => ({ value, label: words.option(path, value) }))}
      value={typeof field.value === 'string' ? field.value : 'show'}
      onChange={field.onChange}
    />
  );
}

/** The switch of a way and, while it is on, what else there is to set about it. Places that are set stay to be seen. */
function Way({
  name,
  path,
  control,
  words,
  isReadOnly = false,
  places,
  children,
}: Common & {
  name: string;
  path: string;
  places: readonly ReactNode[];
  children: ReactNode;
}) {
  const { field } = useController({ control, name });
  const isOn = field.value !== false;
  return (
    <Stack gap="xs">
      <Switch
        label={words.label(path)}
        description={words.help(path)}
        data-field={name}
        disabled={isReadOnly}
        checked={isOn}
        onChange={(event) => field.onChange(event.currentTarget.checked)}
      />
      {places}
      {isOn && children}
    </Stack>
  );
}

/** A place that is looked into: what it is, and its settings. */
function Place({
  kind,
  name,
  onRemove,
  ...common
}: Common & {
  kind: string;
  name: string;
  onRemove: (() => void) | null;
}) {
  const { t, i18n } = useTranslation();
  const { faultOf } = useContext(FieldSurroundings);
  const contract = kinds[kind];
  const messages = contract?.messages[nearestLocale(i18n.language)] ?? {};
  const label = messages.label ?? kind;
  const fault = faultOf(`${name}.kind`);
  return (
    <Fieldset radius="sm" p="sm" legend={label}>
      <Group justify="space-between" wrap="nowrap" align="start" mb="xs">
        <Text size="xs" c="dimmed">
          {messages.help}
        </Text>
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="error"
            aria-label={t('rules.removeSource', { name: label })}
            onClick={onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {contract && (
        <SettingsFields
          {...common}
          shape={shapeOf(contract.settings)}
          name={`${name}.settings`}
          words={wordsOf(messages)}
        />
      )}
      {fault && (
        <Text size="xs" c="var(--p2p-error)">
          {fault}
        </Text>
      )}
    </Fieldset>
  );
}

function wordsOf(messages: Readonly<Record<string, string>>): SettingsWords {
  const word = (key: string): string | undefined => messages[`settings.${key}`];
  return {
    label: (path) => word(path) ?? path,
    help: (path) => word(`${path}.hint`),
    option: (path, value) => word(`${path}.${value}`) ?? value,
  };
}
