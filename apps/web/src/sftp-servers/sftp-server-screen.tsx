import { Stack } from '@mantine/core';
import { type Locale, messageOf } from '@pdf2press/contract';
import { sftpServerRoutes } from '@pdf2press/contract/calls';
import { deliveryContracts } from '@pdf2press/deliveries/contracts';
import { sftpSecretSchema } from '@pdf2press/sftp/server';
import { sftpServerSchema } from '@pdf2press/sources/contracts';
import { FieldSurroundings, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { NotTakenCard } from '../arrivals/not-taken-card.tsx';
import { TargetSecretField } from '../delivery/target-secret-field.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileSettings } from '../profiles/profile-settings.tsx';
import { faultsOf, useProfileForm } from '../profiles/use-profile-form.ts';
import { profileFields } from '../rules/field-editors.tsx';
import { SftpTrial } from './sftp-trial.tsx';

const path = '/sftp-servers';
const { password, privateKey, passphrase } = sftpSecretSchema.shape;

/** What the form holds: the settings, and the secrets, which the server keeps apart. */
const schema = sftpServerSchema.extend({
  password: password.meta({ editor: 'targetSecret' }),
  // A key has several lines.
  privateKey: privateKey.meta({ editor: 'targetSecret', of: 'lines' }),
  passphrase: passphrase.meta({ editor: 'targetSecret' }),
});
const shape = shapeOf(schema);
const noSecrets = { password: '', privateKey: '', passphrase: '' };

/** Values that are needed are empty on purpose: the form asks for them. */
const freshSettings = (): Record<string, unknown> => ({
  ...{ host: '', port: 22, username: '', path: '', hostKey: '' },
  ...noSecrets,
});

/** A copy has no secrets: they could be sent to another server. */
const withoutSecrets = (stored: Record<string, unknown>) => ({ ...stored, ...noSecrets });

const editors: FieldSurroundings = {
  ...profileFields,
  editors: { ...profileFields.editors, targetSecret: TargetSecretField },
};

/** A server that files are fetched from is set as one that they are delivered to. */
const { messages } = deliveryContracts.sftp;

/** The form of a server that files are fetched from. */
export const SftpServerScreen = () => <ProfilePage kind="sftpServer" form={SftpServerForm} />;

/** The form itself, also over the builder. */
export function SftpServerForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const held = useProfileForm({
    action,
    id,
    path,
    routes: sftpServerRoutes,
    schema,
    initial: freshSettings,
    ...(action === 'copy' && { today: withoutSecrets }),
  });
  const { form } = held;
  const isReadOnly = action === 'view' || !may('sftpServer.manage');
  const locale = i18n.language as Locale;
  const words = useMemo(
    (): SettingsWords => ({
      label: (setting) => messageOf(messages, locale, `settings.${setting}`) ?? setting,
      help: (setting) => messageOf(messages, locale, `settings.${setting}.hint`),
      option: (_, value) => String(value),
    }),
    [locale],
  );
  return (
    <FieldSurroundings value={{ ...editors, ...faultsOf(form) }}>
      <ProfileFrame
        kind="sftpServer"
        held={held}
        isReadOnly={isReadOnly}
        nameOf={(setting) => words.label(setting.replace(/^settings\./, ''))}
      >
        <AboutCard form={form} />
        <SectionCard title={t('sftp.connection')} text={t('sftp.connectionText')}>
          <Stack>
            <ProfileSettings form={form} shape={shape} words={words} isReadOnly={isReadOnly} />
            {!isReadOnly && <SftpTrial form={form} id={action === 'edit' ? id : undefined} />}
          </Stack>
        </SectionCard>
        <NotTakenCard id={action === 'edit' || action === 'view' ? id : undefined} />
      </ProfileFrame>
    </FieldSurroundings>
  );
}
