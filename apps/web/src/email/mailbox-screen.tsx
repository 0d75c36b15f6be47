import { Alert, Stack } from '@mantine/core';
import { type MailService, mailServices } from '@pdf2press/contract';
import { mailboxRoutes } from '@pdf2press/contract/calls';
import { onlyWhen } from '@pdf2press/settings';
import { mailboxSettingsSchema } from '@pdf2press/sources/contracts';
import { FieldSurroundings, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useEffect, useMemo, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useMay } from '../account/use-me.ts';
import { NotTakenCard } from '../arrivals/not-taken-card.tsx';
import { useCall } from '../client/queries.ts';
import { ConnectCard } from '../cloud-storage/connect-card.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileSettings } from '../profiles/profile-settings.tsx';
import { faultsOf, type ProfileValues, useProfileForm } from '../profiles/use-profile-form.ts';
import { profileFields } from '../rules/field-editors.tsx';
import { ConnectionTrial } from './connection-trial.tsx';
import { noneKnown, useUnfilledVariables, withFilledVariables } from './filled-variables.ts';
import { PasswordField } from './password-field.tsx';

const path = '/email';
const password = z.string().max(1000).default('').meta({ editor: 'password' });
const withPassword = mailboxSettingsSchema.extend({ password: onlyWhen({ signInWith: 'password' }, password) });
const schema = withPassword.refine((settings) => settings.signInWith !== 'password' || settings.password !== '', {
  path: ['password'],
  params: { code: 'value.required' },
});

/** The settings of each part of the form, in their order. */
const parts = {
  on: shapeOf(withPassword.pick({ isEnabled: true, workflowId: true })),
  service: shapeOf(withPassword.pick({ signInWith: true })),
  server: shapeOf(withPassword.pick({ host: true, security: true, port: true, ignoreSslWarnings: true })),
  account: shapeOf(withPassword.pick({ username: true, password: true, folder: true })),
  mails: shapeOf(
    withPassword.pick({
      startWith: true,
      subject: true,
      senders: true,
      answersSenders: true,
      after: true,
      moveTo: true,
    }),
  ),
  attachments: shapeOf(withPassword.pick({ fileTypes: true, minBytes: true, maxBytes: true, maxAttachments: true })),
  variables: shapeOf(
    withPassword.pick({ subjectVariable: true, senderVariable: true, bodyVariable: true, patterns: true }),
  ),
};

/** Valid values that are needed are missing on purpose: the form asks for them. */
const freshSettings = (): Record<string, unknown> => ({
  ...mailboxSettingsSchema.parse({ host: '-', username: '-', workflowId: '-' }),
  ...{ host: '', username: '', workflowId: '', password: '' },
});

const editors: FieldSurroundings = {
  ...profileFields,
  editors: { ...profileFields.editors, password: PasswordField },
};

/** In the syntax of patterns, which are the same in all languages. */
const example = '* {{order}}, {{copies}} *';

const wordsOf = (t: TFunction, exists: (key: string) => boolean): SettingsWords => ({
  label: (setting) => t(`mailbox.${setting}`),
  help: (setting) => (exists(`mailbox.${setting}.hint`) ? t(`mailbox.${setting}.hint`, { example }) : undefined),
  option: (setting, value) => t(`mailbox.${setting}.${value}`),
});

/** The form of a mailbox. */
export const MailboxScreen = () => <ProfilePage kind="inboundEmail" form={MailboxForm} />;

/** A copy has no password: it could be sent to another server. */
const withoutPassword = (stored: Record<string, unknown>) => ({ ...stored, password: '' });

function MailboxForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const known = useRef(noneKnown);
  const filledSchema = useMemo(() => withFilledVariables(schema, known), []);
  const held = useProfileForm({
    action,
    id,
    path,
    routes: mailboxRoutes,
    schema: filledSchema,
    initial: freshSettings,
    ...(action === 'copy' && { today: withoutPassword }),
  });
  const { form } = held;
  const isReadOnly = action === 'view' || !may('inboundEmail.manage');
  const words = useMemo(() => wordsOf(t, (key) => i18n.exists(key)), [t, i18n]);
  const { data: states } = useCall(mailboxRoutes.states);
  const service = mailServices.find((one) => one === form.watch('settings.signInWith'));
  const stored = action === 'edit' || action === 'view' ? states?.find((one) => one.id === id) : undefined;
  const state = stored?.service === service ? stored : undefined;
  useUsualPort(form);
  useServerOfService(form);
  // A copy is a new mailbox: nothing of it stood there before.
  const unfilledOf = useUnfilledVariables(form, known, action === 'copy' ? undefined : held.profile?.settings);
  const trial = !isReadOnly && <ConnectionTrial form={form} id={action === 'edit' ? id : undefined} />;
  const { faultOf } = faultsOf(form);
  const surroundings: FieldSurroundings = { ...editors, faultOf: (name) => faultOf(name) ?? unfilledOf(name) };
  const fields = (part: keyof typeof parts) => (
    <ProfileSettings form={form} shape={parts[part]} words={words} isReadOnly={isReadOnly} />
  );
  return (
    <FieldSurroundings value={surroundings}>
      <ProfileFrame
        kind="inboundEmail"
        held={held}
        isReadOnly={isReadOnly}
        nameOf={(setting) => words.label(setting.replace(/^settings\./, ''))}
      >
        <AboutCard form={form}>{fields('on')}</AboutCard>
        <SectionCard title={t('mailbox.connection')} text={t('mailbox.connectionText')}>
          <Stack>
            {fields('service')}
            {fields('server')}
            <ConnectionWarning form={form} />
            {fields('account')}
            {!service && trial}
          </Stack>
        </SectionCard>
        {service && (
          <ConnectCard
            {...{ action, held, state, isReadOnly }}
            routes={mailboxRoutes}
            provider={service}
            label={t(`mailbox.signInWith.${service}`)}
          >
            {trial}
          </ConnectCard>
        )}
        <SectionCard title={t('mailbox.mails')}>{fields('mails')}</SectionCard>
        <SectionCard title={t('mailbox.attachments')} text={t('mailbox.attachmentsText')}>
          {fields('attachments')}
        </SectionCard>
        <SectionCard title={t('mailbox.variables')} text={t('mailbox.variablesText')}>
          {fields('variables')}
        </SectionCard>
        <NotTakenCard id={stored?.id} />
      </ProfileFrame>
    </FieldSurroundings>
  );
}

const usualPorts: Readonly<Record<string, number>> = { tls: 993, startTls: 143, none: 143 };

/** Another encryption has another usual port; a port that somebody has typed stays. */
function useUsualPort(form: UseFormReturn<ProfileValues>): void {
  const security = String(form.watch('settings.security') ?? '');
  const before = useRef(security);
  useEffect(() => {
    const earlier = usualPorts[before.current];
    const usual = usualPorts[security];
    before.current = security;
    if (
      earlier !== undefined &&
      usual !== undefined &&
      form.getValues('settings.port') === earlier &&
      usual !== earlier
    )
      form.setValue('settings.port', usual, { shouldDirty: true });
  }, [security, form]);
}

/** Where the mailboxes of each service are. */
const serverOf: Readonly<Record<MailService, string>> = {
  Google: 'imap.gmail.com',
  Microsoft: 'outlook.office365.com',
};

/** Whoever chooses a service need not know its server; one that somebody has typed stays. */
function useServerOfService(form: UseFormReturn<ProfileValues>): void {
  const chosen = String(form.watch('settings.signInWith') ?? '');
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    const service = mailServices.find((one) => one === chosen);
    const host = String(form.getValues('settings.host') ?? '');
    if (service && (host === '' || Object.values(serverOf).includes(host)))
      form.setValue('settings.host', serverOf[service], { shouldDirty: true, shouldValidate: host !== '' });
  }, [chosen, form]);
}

/** What is not protected by these settings. */
function ConnectionWarning({ form }: { form: UseFormReturn<ProfileValues> }) {
  const { t } = useTranslation();
  const [security, isIgnoring] = form.watch(['settings.security', 'settings.ignoreSslWarnings']);
  const warning =
    security === 'none' ? 'mailbox.openWarning' : isIgnoring === true ? 'mailbox.certificateWarning' : null;
  if (!warning) return null;
  return (
    <Alert color="error" icon={<IconAlertTriangle size={20} />} role="note">
      {t(warning)}
    </Alert>
  );
}
