import { Accordion, Stack, Text } from '@mantine/core';
import { type AccountEvent, accountEvents, type Locale } from '@pdf2press/contract';
import type { CommunicationProfile } from '@pdf2press/steps/communication-profile';
import type { SettingsWords } from '@pdf2press/ui';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { languageNames } from '../language/language.ts';
import type { ProfileValues } from '../profiles/use-profile-form.ts';
import classes from './communication.module.css';
import { EventTexts } from './event-texts.tsx';

interface Props {
  form: UseFormReturn<ProfileValues>;
  words: SettingsWords;
  isReadOnly: boolean;
  open: AccountEvent | null;
  onOpen: (event: AccountEvent | null) => void;
  locale: Locale;
  onLocale: (locale: Locale) => void;
}

/** What is written to people about their account: of each the words alone, because it is sent in any case. */
export function AccountList({ form, words, open, onOpen, locale, ...rest }: Props) {
  const { t } = useTranslation();
  const accounts = (form.watch('settings.accounts') ?? {}) as Partial<CommunicationProfile['accounts']>;
  const wordsOfAccounts: SettingsWords = {
    ...words,
    help: (path) => (path === 'button' ? t('communication.help.accountButton') : words.help(path)),
  };
  return (
    <Accordion
      variant="contained"
      order={3}
      value={open}
      onChange={(event) => onOpen(accountEvents.find((one) => one === event) ?? null)}
    >
      {accountEvents.map((event) => (
        <Accordion.Item key={event} value={event} className={classes.item ?? ''}>
          <Accordion.Control>
            <div className={classes.event}>
              <Text fw={550}>{t(`messageEvent.${event}`)}</Text>
              <Text size="sm" c="dimmed" truncate>
                {Object.keys(accounts[event]?.texts ?? {})
                  .map((one) => languageNames[one as Locale])
                  .join(', ') || t('communication.standardText')}
              </Text>
            </div>
          </Accordion.Control>
          <Accordion.Panel>
            {open === event && (
              <Stack gap="md">
                <Text size="sm">{t(`communication.when.${event}`)}</Text>
                <EventTexts key={locale} form={form} event={event} words={wordsOfAccounts} locale={locale} {...rest} />
              </Stack>
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
