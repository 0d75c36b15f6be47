import { useTranslation } from 'react-i18next';
import { Masonry } from '../frame/masonry.tsx';
import { Screen } from '../frame/screen.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';
import { EmbedTokensCard } from './embed-tokens-card.tsx';
import { OwnDataCard } from './own-data-card.tsx';
import { OwnPasswordCard } from './own-password-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SignOnCard } from './sign-on-card.tsx';
import { SignedInCard } from './signed-in-card.tsx';
import { ThisBrowserCard } from './this-browser-card.tsx';
import { useMay, useMe } from './use-me.ts';

/** Minimum width of a card with a form in two columns, CSS pixels. */
const cardWidth = 520;

export function MyProfileScreen() {
  const { t } = useTranslation();
  const me = useMe();
  const may = useMay();
  return (
    <Screen title={t('title.my-profile')} state={{ kind: me ? 'ready' : 'loading' }}>
      <Masonry columnMin={cardWidth}>
        {me && <OwnDataCard me={me} />}
        <ThisBrowserCard />
        <OwnPasswordCard />
        <SecondFactorCard />
        <PasskeysCard />
        <SignOnCard />
        <SignedInCard />
        {may('apiKeys.manage') && <ApiKeysCard />}
        {may('embedTokens.manage') && <EmbedTokensCard />}
      </Masonry>
    </Screen>
  );
}
