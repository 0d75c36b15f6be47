import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { queries } from '../client/queries.ts';
import { mayBeSignedIn } from '../client/tokens.ts';
import { AccountCard } from './account-card.tsx';
import { PasskeySetUp } from './passkey-set-up.tsx';
import { safePath } from './safe-path.ts';
import { SecondFactorSetUp } from './second-factor-set-up.tsx';
import { useMe } from './use-me.ts';

/** Whoever is led here while still at the sign-in goes on to where that would have led. */
const behindSignIn = (path: string): string => {
  const { pathname, searchParams } = new URL(path, window.location.origin);
  return pathname === '/login' ? safePath(searchParams.get('returnTo')) : path;
};

/** Where people are led whose role demands a second factor that they do not have yet. */
export function SecondFactorScreen() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [isPasskey, setPasskey] = useState(false);
  const me = useMe(mayBeSignedIn());
  const returnTo = behindSignIn(safePath(search.get('returnTo')));
  const leave = () => {
    queries.clear();
    void navigate(returnTo, { replace: true });
  };
  if (me?.mustSetUpSecondFactor)
    return (
      <AccountCard title={t('title.second-factor')} text={t('secondFactor.mustText')}>
        {isPasskey ? (
          <PasskeySetUp onDone={leave} onClose={() => setPasskey(false)} />
        ) : (
          <Stack>
            <SecondFactorSetUp onDone={leave} />
            <Anchor component="button" type="button" ta="center" onClick={() => setPasskey(true)}>
              {t('passkeys.instead')}
            </Anchor>
          </Stack>
        )}
      </AccountCard>
    );
  return (
    <AccountCard title={t('title.second-factor')}>
      <Stack>
        <Text>{t(me ? 'secondFactor.notNeeded' : 'secondFactor.signInFirst')}</Text>
        {me ? (
          <Anchor component={Link} to="/user/my-profile">
            {t('title.my-profile')}
          </Anchor>
        ) : (
          <Button component={Link} to="/login">
            {t('account.signIn')}
          </Button>
        )}
      </Stack>
    </AccountCard>
  );
}
