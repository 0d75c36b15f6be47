import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { type AccountEvent, isAccountEvent, type Locale, locales, type MessageEvent } from '@pdf2press/contract';
import { communicationProfileRoutes } from '@pdf2press/contract/calls';
import { accountTextSchema, messageTextSchema } from '@pdf2press/steps/communication-profile';
import { type FieldShape, SettingsFields, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { IconPencil, IconRestore } from '@tabler/icons-react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { languageNames } from '../language/language.ts';
import { useUnit } from '../preferences/use-unit.ts';
import { controlOf, type ProfileValues } from '../profiles/use-profile-form.ts';
import classes from './communication.module.css';

/** One below the other, as they stand in a message. */
const fieldsOf = (shape: FieldShape) => (shape.kind === 'group' ? shape.fields : []);
const messageFields = fieldsOf(shapeOf(messageTextSchema));
const accountFields = fieldsOf(shapeOf(accountTextSchema));

interface Props {
  form: UseFormReturn<ProfileValues>;
  event: MessageEvent | AccountEvent;
  words: SettingsWords;
  isReadOnly: boolean;
  locale: Locale;
  onLocale: (locale: Locale) => void;
}

/** What a message says in one language: the product's text, or the house's own. */
export function EventTexts({ form, event, words, isReadOnly, locale, onLocale }: Props) {
  const { t } = useTranslation();
  const [unit, setUnit] = useUnit();
  const isOfAccount = isAccountEvent(event);
  const name = `settings.${isOfAccount ? 'accounts' : 'events'}.${event}.texts`;
  const fields = isOfAccount ? accountFields : messageFields;
  const texts = (useWatch({ control: controlOf(form), name }) ?? {}) as Partial<Record<Locale, object>>;
  const { data } = useCall(communicationProfileRoutes.texts, { query: { locale } }, { staleTime: Infinity });
  const standard = data?.find((one) => one.event === event);
  const set = (next: Partial<Record<Locale, object>>) =>
    form.setValue(name as 'settings', next as never, { shouldDirty: true });
  const restore = () => {
    const { [locale]: _, ...others } = texts;
    form.clearErrors(`${name}.${locale}` as 'settings');
    set(others);
  };
  const isOwn = texts[locale] !== undefined;
  return (
    <Stack gap="sm" className={classes.texts}>
      <Group justify="space-between" align="end" gap="xs">
        <Select
          w={200}
          label={t('communication.textIn')}
          data={locales.map((one) => ({ value: one, label: `${languageNames[one]}${texts[one] ? ' ✓' : ''}` }))}
          value={locale}
          allowDeselect={false}
          onChange={(chosen) => chosen && onLocale(chosen as Locale)}
        />
        {!isReadOnly &&
          (isOwn ? (
            <Button variant="subtle" size="compact-sm" leftSection={<IconRestore size={15} />} onClick={restore}>
              {t('communication.useStandard')}
            </Button>
          ) : (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPencil size={15} />}
              disabled={!standard}
              onClick={() => {
                if (!standard) return;
                const { subject, text, button } = standard;
                set({ ...texts, [locale]: { subject, text, button, html: '' } });
              }}
            >
              {t('communication.writeOwn')}
            </Button>
          ))}
      </Group>
      {isOwn
        ? fields.map(([key, field]) => (
            <SettingsFields
              key={key}
              shape={field}
              name={`${name}.${locale}.${key}`}
              path={key}
              control={controlOf(form)}
              words={words}
              unit={unit}
              onUnitChange={setUnit}
              isReadOnly={isReadOnly}
            />
          ))
        : standard && (
            <div className={classes.standard} lang={locale}>
              <Text fw={600}>{standard.subject}</Text>
              <Text style={{ whiteSpace: 'pre-wrap' }}>{standard.text}</Text>
              {standard.button && <Text c="dimmed">[{standard.button}]</Text>}
            </div>
          )}
    </Stack>
  );
}
