import { Badge, Text } from '@mantine/core';
import { authRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';

/** How public forms are kept from programs. The installation decides, because it is needed before anybody is known. */
export function CaptchaSettings() {
  const { t } = useTranslation();
  const { data } = useCall(authRoutes.captcha, undefined, { staleTime: 300_000 });
  if (!data) return null;
  const { provider, siteKey } = data;
  return (
    <SectionCard title={t(`settings.captcha.${provider}`)} text={t(`settings.captcha.${provider}Text`)}>
      {siteKey && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {t('settings.captcha.siteKey')}: {siteKey}
        </Text>
      )}
      <Badge size="xs" variant="light" color="info" tt="none" fw={500}>
        {t('settings.origin.installation')}
      </Badge>
      <Text size="sm" c="dimmed" mt="xs">
        {t('settings.captcha.where')}
      </Text>
    </SectionCard>
  );
}
