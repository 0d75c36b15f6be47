import { Code, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import type { SystemSettings } from '@pdf2press/contract';
import { singleSignOnRoutes } from '@pdf2press/contract/calls';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { useRoles } from '../roles/use-roles.ts';
import { ConnectionTest } from './connection-test.tsx';
import { ChoiceField, FlagField, SecretField, TextField } from './setting-fields.tsx';
import { SettingOrigin } from './setting-origin.tsx';

/** Where people sign in other than with a password, and who of them may. */
export function SignOnSettings() {
  const { t } = useTranslation();
  const { getValues } = useFormContext<SystemSettings>();
  const { origin } = window.location;
  return (
    <>
      <SectionCard title={t('settings.signOnTitle')} text={t('settings.signOnText')}>
        <Stack>
          <FlagField name="singleSignOnSettings.isOn" />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextField name="singleSignOnSettings.issuer" />
            <TextField name="singleSignOnSettings.label" />
            <TextField name="singleSignOnSettings.clientId" />
            <SecretField name="singleSignOnSettings.clientSecret" />
          </SimpleGrid>
          <ConnectionTest
            label={t('settings.signOnTest')}
            test={() => call(singleSignOnRoutes.test, { body: { issuer: getValues('singleSignOnSettings.issuer') } })}
          />
          <Address label={t('settings.signOnRedirect')} address={`${origin}/login`} />
          <Address
            label={t('settings.signOnPage')}
            address={`${origin}/login?company=${encodeURIComponent(getValues('subscriberId'))}`}
          />
        </Stack>
      </SectionCard>
      <SectionCard title={t('settings.signOnPeople')} text={t('settings.signOnPeopleText')}>
        <Stack>
          <DomainsField />
          <RoleField />
          <FlagField name="singleSignOnSettings.linksAccounts" help={t('settings.signOnLinksText')} />
        </Stack>
      </SectionCard>
    </>
  );
}

/** An address to be copied elsewhere. */
function Address({ label, address }: { label: string; address: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {address}
      </Code>
    </div>
  );
}

/** What was typed or pasted, one domain each, without what people put before it. */
const domainsOf = (typed: readonly string[]): string[] =>
  [
    ...new Set(typed.flatMap((text) => text.split(/[\s,;]+/)).map((text) => text.replace(/^@/, '').toLowerCase())),
  ].filter((text) => text !== '');

function DomainsField() {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  return (
    <div>
      <Controller
        control={control}
        name="singleSignOnSettings.allowedDomains"
        render={({ field, fieldState: { error } }) => (
          <TagsInput
            label={t('settings.signOnDomains')}
            description={t('settings.signOnDomainsText')}
            {...field}
            onChange={(typed) => field.onChange(domainsOf(typed))}
            splitChars={[',', ' ', ';']}
            acceptValueOnBlur
            // The fault of one of them has its place in the list.
            error={error && (error.message ?? t('value.invalid'))}
          />
        )}
      />
      <SettingOrigin name="singleSignOnSettings.allowedDomains" />
    </div>
  );
}

/** What new people become: of the roles, those that the person who sets it may grant. */
function RoleField() {
  const { t } = useTranslation();
  const chosen = useWatch<SystemSettings, 'singleSignOnSettings.defaultRoleId'>({
    name: 'singleSignOnSettings.defaultRoleId',
  });
  const may = useMay();
  const roles = useRoles() ?? [];
  return (
    <ChoiceField
      name="singleSignOnSettings.defaultRoleId"
      help={t('settings.signOnRoleText')}
      data={[
        { value: '', label: t('settings.signOnNobodyNew') },
        ...roles
          .filter(({ id, permissions }) => id === chosen || permissions.every((name) => may(name)))
          .map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
