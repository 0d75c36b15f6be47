import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Screen } from '../frame/screen.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';
import { EmbedTokensCard } from './embed-tokens-card.tsx';
import { OwnDataCard } from './own-data-card.tsx';
import { OwnPasswordCard } from './own-password-card.tsx';
import { SignedInCard } from './signed-in-card.tsx';
import { useMay, useMe } from './use-me.ts';

export function MyProfileScreen() {
  const { t } = useTranslation();
  const me = useMe();
  const may = useMay();
  return (
    <Screen title={t('title.my-profile')} state={{ kind: me ? 'ready' : 'loading' }}>
      <Stack maw={860}>
        {me && <OwnDataCard me={me} />}
        <OwnPasswordCard />
        <SignedInCard />
        {may('apiKeys.manage') && <ApiKeysCard />}
        {may('embedTokens.manage') && <EmbedTokensCard />}
      </Stack>
    </Screen>
  );
}
