import { Badge, Group, Text } from '@mantine/core';
import type { Profile } from '@pdf2press/contract';
import type { CheckKey } from '@pdf2press/preflight/contracts';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { formatTime } from '../language/formats.ts';
import type { ProfileValues } from '../profiles/use-profile-form.ts';
import { checkWords } from './check-words.ts';

/** Summary of the enabled checks, and the workflows that use the profile. */
export function ProfileSummaryCard({
  form,
  profile,
}: {
  form: UseFormReturn<ProfileValues>;
  profile: Profile | undefined;
}) {
  const { t, i18n } = useTranslation();
  const checks = (form.watch('settings.checks' as never) ?? []) as { key: CheckKey; enabled?: boolean }[];
  const on = checks.filter((check) => check.enabled !== false);
  return (
    <SectionCard title={t('preflight.looksAt', { count: on.length })}>
      <Group gap={6} mb="md">
        {on.map(({ key }) => (
          <Badge key={key} variant="light" tt="none" fw={500}>
            {checkWords(key, i18n.language, t).name}
          </Badge>
        ))}
      </Group>
      {profile && (
        <ListRows>
          <Text size="sm">
            {t('profiles.usedBy')}: {profile.usedBy.map((workflow) => workflow.name).join(', ') || t('profiles.unused')}
          </Text>
          <Text size="sm">
            {t('profiles.version')} {profile.version} · {formatTime(profile.updatedAt)}
          </Text>
        </ListRows>
      )}
    </SectionCard>
  );
}
