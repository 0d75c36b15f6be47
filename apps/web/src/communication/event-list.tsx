import { Accordion, Badge, Group, Stack, Switch, Text } from '@mantine/core';
import { asksAboutProof, type Locale, type MessageEvent, messageEvents } from '@pdf2press/contract';
import { type MessageSettings, messageSettingsSchema } from '@pdf2press/steps/communication-profile';
import { type FieldShape, SettingsFields, type SettingsWords, shapeOf } from '@pdf2press/ui';
import type { TFunction } from 'i18next';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnit } from '../preferences/use-unit.ts';
import { controlOf, type ProfileValues } from '../profiles/use-profile-form.ts';
import classes from './communication.module.css';
import { EventTexts } from './event-texts.tsx';

const whole = shapeOf(messageSettingsSchema);
const fieldsOf = (...names: (keyof MessageSettings)[]): FieldShape => ({
  kind: 'group',
  isInOrder: true,
  fields: whole.kind === 'group' ? whole.fields.filter(([name]) => names.some((one) => one === name)) : [],
});
const readers = fieldsOf('to', 'people', 'cc', 'bcc');
const attachments = fieldsOf('attach');
const condition = fieldsOf('when');

interface Props {
  form: UseFormReturn<ProfileValues>;
  words: SettingsWords;
  isReadOnly: boolean;
  open: MessageEvent | null;
  onOpen: (event: MessageEvent | null) => void;
  locale: Locale;
  onLocale: (locale: Locale) => void;
}

/** Every event that can be written about, with the fields of the one that is open. */
export function EventList({ form, open, onOpen, ...rest }: Props) {
  const { t } = useTranslation();
  const events = (form.watch('settings.events') ?? {}) as Partial<Record<MessageEvent, MessageSettings>>;
  return (
    <Accordion
      variant="contained"
      order={3}
      value={open}
      onChange={(event) => onOpen(messageEvents.find((one) => one === event) ?? null)}
    >
      {messageEvents.map((event) => {
        const settings = events[event];
        return (
          <Accordion.Item key={event} value={event} className={classes.item ?? ''}>
            <Accordion.Control>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <div className={classes.event}>
                  <Text fw={550}>{t(`messageEvent.${event}`)}</Text>
                  <Text size="sm" c="dimmed" truncate>
                    {readersText(event, settings, t)}
                  </Text>
                </div>
                <Badge
                  variant="light"
                  color={settings?.isOn ? 'success' : 'neutral'}
                  tt="none"
                  fw={550}
                  miw="fit-content"
                >
                  {t(settings?.isOn ? 'communication.on' : 'communication.off')}
                </Badge>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              {open === event && <EventFields form={form} event={event} isOn={settings?.isOn === true} {...rest} />}
            </Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}

/** In few words, who is written to. */
function readersText(event: MessageEvent, settings: MessageSettings | undefined, t: TFunction): string {
  const { to = [], cc = [], bcc = [], people = [] } = settings ?? {};
  const named = [...to, ...cc, ...bcc];
  return [
    ...(asksAboutProof(event) ? [t('communication.asked')] : []),
    ...named,
    ...(people.length > 0 ? [t('communication.people', { count: people.length })] : []),
  ].join(', ');
}

function EventFields({
  form,
  event,
  isOn,
  words,
  isReadOnly,
  locale,
  onLocale,
}: Omit<Props, 'open' | 'onOpen'> & { event: MessageEvent; isOn: boolean }) {
  const { t } = useTranslation();
  const [unit, setUnit] = useUnit();
  const name = `settings.events.${event}`;
  const common = { control: controlOf(form), words, unit, onUnitChange: setUnit, isReadOnly };
  return (
    <Stack gap="md">
      <Switch
        label={t('communication.field.isOn')}
        description={t(asksAboutProof(event) ? 'communication.askedText' : `communication.when.${event}`)}
        checked={isOn}
        disabled={isReadOnly}
        onChange={({ currentTarget: { checked } }) =>
          form.setValue(`${name}.isOn` as 'settings', checked as never, { shouldDirty: true })
        }
      />
      <SettingsFields shape={readers} name={name} {...common} />
      {!asksAboutProof(event) && <SettingsFields shape={attachments} name={name} {...common} />}
      <SettingsFields shape={condition} name={name} {...common} />
      <EventTexts
        key={locale}
        form={form}
        event={event}
        words={words}
        isReadOnly={isReadOnly}
        locale={locale}
        onLocale={onLocale}
      />
    </Stack>
  );
}
