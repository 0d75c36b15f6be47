import {
  type AccountEvent,
  isAccountEvent,
  type Locale,
  type MessageEvent,
  nearestLocale,
  wordedEvents,
} from '@pdf2press/contract';
import { communicationProfileRoutes } from '@pdf2press/contract/calls';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import { type FieldShape, FieldSurroundings, shapeOf } from '@pdf2press/ui';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileSettings } from '../profiles/profile-settings.tsx';
import { useProfileForm } from '../profiles/use-profile-form.ts';
import { profileFields } from '../rules/field-editors.tsx';
import { AccountList } from './account-list.tsx';
import { ChannelTests } from './channel-tests.tsx';
import { communicationWords } from './communication-words.ts';
import { EventList } from './event-list.tsx';
import { MessagePreview } from './message-preview.tsx';

type Settings = Record<string, unknown>;

const whole = shapeOf(communicationProfileSchema);
const sender: FieldShape = {
  kind: 'group',
  fields:
    whole.kind === 'group'
      ? whole.fields.filter(([name]) => !['events', 'accounts', 'hooks', 'webhooks'].includes(name))
      : [],
};
const channels: FieldShape = {
  kind: 'group',
  fields: whole.kind === 'group' ? whole.fields.filter(([name]) => ['hooks', 'webhooks'].includes(name)) : [],
};
const freshSettings = (): Settings => ({ ...communicationProfileSchema.parse({}) });
/** Stored settings with the values of today for what they lack; unreadable ones stay as they are. */
const settingsOfToday = (stored: Settings): Settings => ({
  ...(communicationProfileSchema.safeParse(stored).data ?? stored),
});

/** The event and the language of a path in the form, as far as it names them. */
function placeOf({ events, accounts }: { events?: object; accounts?: object }): {
  event: MessageEvent | AccountEvent;
  locale?: Locale;
} | null {
  const faulty: Partial<Record<MessageEvent | AccountEvent, { texts?: object }>> = { ...events, ...accounts };
  const event = wordedEvents.find((one) => faulty[one] !== undefined);
  if (!event) return null;
  const [locale] = Object.keys(faulty[event]?.texts ?? {});
  return { event, ...(locale !== undefined && { locale: locale as Locale }) };
}

/** The form of a communication profile: who is written to about what, in which words, beside the message as it looks. */
export const CommunicationProfileScreen = () => <ProfilePage kind="communication" form={CommunicationProfileForm} />;

/** The form by itself: also in the drawer of the workflow builder. */
export function CommunicationProfileForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const [event, setEvent] = useState<MessageEvent | AccountEvent | null>('Received');
  const [locale, setLocale] = useState<Locale>(nearestLocale(i18n.language));
  const held = useProfileForm({
    action,
    id,
    path: '/communication',
    routes: communicationProfileRoutes,
    schema: communicationProfileSchema,
    initial: freshSettings,
    today: settingsOfToday,
  });
  const { form } = held;
  const { errors, submitCount } = form.formState;
  // What keeps the profile from being saved is brought into sight: only the open event has fields.
  useEffect(() => {
    const place = placeOf((errors.settings ?? {}) as Parameters<typeof placeOf>[0]);
    if (!place) return;
    setEvent(place.event);
    if (place.locale) setLocale(place.locale);
  }, [submitCount]);
  const isReadOnly = action === 'view' || !may('communication.manage');
  const words = communicationWords(t);
  const settings = form.watch('settings');
  // One is open at a time: the preview shows it.
  const account = event !== null && isAccountEvent(event) ? event : null;
  const told = event !== null && !isAccountEvent(event) ? event : null;
  return (
    <FieldSurroundings value={profileFields}>
      <ProfileFrame
        kind="communication"
        held={held}
        isReadOnly={isReadOnly}
        nameOf={(path) => nameOf(path, t)}
        isAsideOpen
        aside={
          <MessagePreview
            settings={settings}
            event={event ?? 'Received'}
            locale={locale}
            onLocale={setLocale}
            mayTest={may('communication.manage')}
          />
        }
      >
        <AboutCard form={form} />
        <SectionCard title={t('communication.sender')} text={t('communication.senderText')}>
          <ProfileSettings form={form} shape={sender} words={words} isReadOnly={isReadOnly} />
        </SectionCard>
        <SectionCard title={t('communication.channels')} text={t('communication.channelsText')}>
          <ProfileSettings form={form} shape={channels} words={words} isReadOnly={isReadOnly} />
          {!isReadOnly && <ChannelTests settings={settings} event={told ?? 'Received'} locale={locale} />}
        </SectionCard>
        <SectionCard title={t('communication.events')} text={t('communication.eventsText')}>
          <EventList
            form={form}
            words={words}
            isReadOnly={isReadOnly}
            open={told}
            onOpen={setEvent}
            locale={locale}
            onLocale={setLocale}
          />
        </SectionCard>
        <SectionCard title={t('communication.accounts')} text={t('communication.accountsText')}>
          <AccountList
            form={form}
            words={words}
            isReadOnly={isReadOnly}
            open={account}
            onOpen={setEvent}
            locale={locale}
            onLocale={setLocale}
          />
        </SectionCard>
      </ProfileFrame>
    </FieldSurroundings>
  );
}

/** A setting as the list of faults names it: with its event. */
function nameOf(path: string, t: (key: string) => string): string {
  const [, group, event, ...rest] = path.split('.');
  const isOfEvent = group === 'events' || group === 'accounts';
  const field = (isOfEvent ? rest : [group]).filter((part) => part && !/^\d+$/.test(part));
  const last = field[0] === 'texts' ? field[2] : field[0];
  const label = t(`communication.field.${last}`);
  return isOfEvent ? `${t(`messageEvent.${event}`)}: ${label}` : label;
}
