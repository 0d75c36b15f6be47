import { Select, Stack } from '@mantine/core';
import { type DeliveryKind, deliveryKinds, type Locale, messageOf } from '@pdf2press/contract';
import { deliveryTargetRoutes } from '@pdf2press/contract/calls';
import { deliveryContractOf, deliveryContracts } from '@pdf2press/deliveries/contracts';
import { FieldSurroundings, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useMay } from '../account/use-me.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileSettings } from '../profiles/profile-settings.tsx';
import { faultsOf, useProfileForm } from '../profiles/use-profile-form.ts';
import { profileFields } from '../rules/field-editors.tsx';
import { TargetFolderField } from './target-folder-field.tsx';
import { TargetSecretField } from './target-secret-field.tsx';
import { TargetTrial } from './target-trial.tsx';

const path = '/delivery';

/** Secrets that have several lines. */
const hasLines = new Set(['privateKey']);

/** What the form of a kind holds: its settings, and its secrets, which the server keeps apart. */
function schemaOf(kind: DeliveryKind) {
  const { settings, secret } = deliveryContracts[kind];
  const secrets = Object.entries(secret.shape as Readonly<Record<string, z.ZodString>>).map(([name, schema]) => [
    name,
    schema.meta({ editor: 'targetSecret', ...(hasLines.has(name) && { of: 'lines' }) }),
  ]);
  return z.object({ ...(settings.shape as z.ZodRawShape), ...Object.fromEntries(secrets) });
}

const schemas = Object.fromEntries(deliveryKinds.map((kind) => [kind, schemaOf(kind)])) as Record<
  DeliveryKind,
  ReturnType<typeof schemaOf>
>;
const shapes = Object.fromEntries(deliveryKinds.map((kind) => [kind, shapeOf(schemas[kind])])) as Record<
  DeliveryKind,
  ReturnType<typeof shapeOf>
>;
const schema = z.union(deliveryKinds.map((kind) => schemas[kind].extend({ kind: z.literal(kind) })));

/** Values that are needed are empty on purpose: the form asks for them. */
function freshSettings(kind: DeliveryKind = 'folder'): Record<string, unknown> {
  const values = Object.entries(schemas[kind].shape).map(([name, field]) => {
    const read = (field as z.ZodType).safeParse(undefined);
    return [name, read.success ? read.data : ''];
  });
  return { ...Object.fromEntries(values), kind };
}

const editors: FieldSurroundings = {
  ...profileFields,
  editors: { ...profileFields.editors, targetSecret: TargetSecretField, cloudFolder: TargetFolderField },
};

/** A copy has no secrets: they could be sent to another server. */
function withoutSecrets(stored: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(deliveryContractOf(stored)?.secret.shape ?? {});
  return { ...stored, ...Object.fromEntries(names.map((name) => [name, ''])) };
}

/** The page of a delivery target. */
export const DeliveryTargetScreen = () => <ProfilePage kind="delivery" form={DeliveryTargetForm} />;

/** The form of a delivery target. */
export function DeliveryTargetForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const held = useProfileForm({
    action,
    id,
    path,
    routes: deliveryTargetRoutes,
    schema,
    initial: freshSettings,
    ...(action === 'copy' && { today: withoutSecrets }),
  });
  const { form } = held;
  const isReadOnly = action === 'view' || !may('delivery.manage');
  const locale = i18n.language as Locale;
  const kind = deliveryContractOf(form.watch('settings'))?.kind ?? 'folder';
  const word = (key: string, of = kind) => messageOf(deliveryContracts[of].messages, locale, key);
  const words = useMemo((): SettingsWords => {
    const { messages } = deliveryContracts[kind];
    return {
      label: (setting) => messageOf(messages, locale, `settings.${setting}`) ?? setting,
      help: (setting) => messageOf(messages, locale, `settings.${setting}.hint`),
      option: (setting, value) => messageOf(messages, locale, `settings.${setting}.${value}`) ?? String(value),
    };
  }, [kind, locale]);
  const surroundings: FieldSurroundings = { ...editors, ...faultsOf(form) };
  return (
    <FieldSurroundings value={surroundings}>
      <ProfileFrame
        kind="delivery"
        held={held}
        isReadOnly={isReadOnly}
        nameOf={(setting) => words.label(setting.replace(/^settings\./, ''))}
      >
        <AboutCard form={form} />
        <SectionCard title={t('delivery.target')} text={t('delivery.targetText')}>
          <Stack>
            <Select
              label={t('delivery.kind')}
              description={word('help')}
              allowDeselect={false}
              disabled={isReadOnly}
              data={deliveryKinds.map((value) => ({ value, label: word('label', value) ?? value }))}
              value={kind}
              onChange={(next) =>
                next && form.setValue('settings', freshSettings(next as DeliveryKind), { shouldDirty: true })
              }
            />
            <ProfileSettings
              key={`settings of ${kind}`}
              form={form}
              shape={shapes[kind]}
              words={words}
              isReadOnly={isReadOnly}
            />
            {!isReadOnly && (
              <TargetTrial
                key={`trial of ${kind}`}
                form={form}
                id={action === 'edit' ? id : undefined}
                works={word('works')}
              />
            )}
          </Stack>
        </SectionCard>
      </ProfileFrame>
    </FieldSurroundings>
  );
}
