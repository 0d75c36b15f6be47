import { ActionIcon, Avatar, UnstyledButton } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { locales, type Me, nearestLocale } from '@pdf2press/contract';
import { authRoutes, systemRoutes } from '@pdf2press/contract/calls';
import {
  IconBell,
  IconDeviceDesktop,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPalette,
  IconSearch,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { chooseLanguage } from '../account/own-language.ts';
import { useMay, useMe } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { queries, useCall } from '../client/queries.ts';
import { forgetTokens } from '../client/tokens.ts';
import { languageNames } from '../language/language.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './frame.module.css';
import { Hint } from './hint.tsx';
import { LateMenu } from './late-menu.tsx';
import { openDialog } from './open-dialog.ts';
import { notify } from './toasts.tsx';

export function Header({ start }: { start: ReactNode }) {
  const { t } = useTranslation();
  const isBlurred = usePreferences((preferences) => preferences.navbarBlur);
  return (
    <header className={classes.header} data-blur={isBlurred || undefined}>
      {start}
      <button
        type="button"
        className={classes.search}
        onClick={() => openDialog('palette')}
        aria-label={t('frame.search')}
        aria-keyshortcuts="Control+K"
      >
        <IconSearch size={18} aria-hidden />
        <span>{t('frame.search')}</span>
        <kbd className={classes.kbd}>Ctrl K</kbd>
      </button>
      <div className={classes.headerEnd}>
        <span className={classes.roomy}>
          <LanguageMenu me={useMe()} />
          <ThemeMenu />
        </span>
        <Bell />
        <UserMenu />
      </div>
    </header>
  );
}

/** The one choice of a language; `me` is who is signed in. */
export function LanguageMenu({ me }: { me?: Me | undefined }) {
  const { t, i18n } = useTranslation();
  const choose = (language: string) => void chooseLanguage(me, nearestLocale(language)).catch(notify.failure);
  return (
    <LateMenu
      button={(opener) => (
        <Hint label={t('frame.language')}>
          <ActionIcon {...opener} variant="subtle" color="neutral" size={40} aria-label={t('frame.language')}>
            <IconLanguage size={20} />
          </ActionIcon>
        </Hint>
      )}
      entries={() => [
        {
          choices: locales.map((locale) => ({ value: locale, label: languageNames[locale], lang: locale })),
          chosen: i18n.language,
          choose,
        },
      ]}
    />
  );
}

const themeIcons = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop };

export function ThemeMenu() {
  const { t } = useTranslation();
  const theme = usePreferences((preferences) => preferences.theme);
  const Current = themeIcons[theme];
  return (
    <LateMenu
      button={(opener) => (
        <Hint label={t('customizer.theme')}>
          <ActionIcon {...opener} variant="subtle" color="neutral" size={40} aria-label={t('customizer.theme')}>
            <Current size={20} />
          </ActionIcon>
        </Hint>
      )}
      entries={() => [
        {
          choices: (['light', 'dark', 'system'] as const).map((value) => ({
            value,
            label: t(`customizer.theme.${value}`),
            icon: themeIcons[value],
          })),
          chosen: theme,
          choose: (choice) => setPreferences({ theme: choice as typeof theme }),
        },
      ]}
    />
  );
}

function Bell() {
  const { t } = useTranslation();
  const { data } = useCall(systemRoutes.notifications, undefined, { staleTime: 30_000, refetchInterval: 60_000 });
  useLiveNotices();
  const unread = data?.filter((one) => !one.isRead).length ?? 0;
  const label = unread > 0 ? t('frame.unread', { count: unread }) : t('nav.notifications');
  return (
    <Hint label={label}>
      <ActionIcon
        component={Link}
        to="/notification"
        variant="subtle"
        color="neutral"
        size={40}
        aria-label={label}
        className={unread > 0 ? classes.unread : undefined}
        data-count={unread > 99 ? '99+' : unread}
      >
        <IconBell size={20} />
      </ActionIcon>
    </Hint>
  );
}

/**
 * Keeps the count live. Loaded after the frame, and only while the tab is seen: a browser keeps only six connections to a
 * server without HTTP/2.
 */
function useLiveNotices() {
  const seesSessions = useMay()('sessions.view');
  const isSeen = useDocumentVisibility() === 'visible';
  useEffect(() => {
    if (!seesSessions || !isSeen) return;
    let stop: (() => void) | null = null;
    let isOver = false;
    import('../notifications/live-notices.ts').then(
      ({ followNotices }) => {
        if (!isOver) stop = followNotices();
      },
      // The count is read each minute as well.
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [seesSessions, isSeen]);
}

function UserMenu() {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const name = me ? `${me.firstName} ${me.lastName}`.trim() : '';
  const signOut = async () => {
    // Signs out in this browser even if the server cannot be reached.
    await call(authRoutes.logout, { body: {} }).catch(() => undefined);
    forgetTokens();
    queries.clear();
    void navigate('/login', { replace: true });
  };
  return (
    <LateMenu
      width={240}
      button={(opener) => (
        <UnstyledButton
          {...opener}
          aria-label={t('frame.account', { name })}
          style={{ borderRadius: '50%', marginInlineStart: 4 }}
        >
          <Avatar name={name || '?'} color="brand" variant="light" size={36} />
        </UnstyledButton>
      )}
      entries={() => [
        {
          heading: (
            <>
              {name}
              <br />
              {me?.email}
            </>
          ),
        },
        { label: t('title.my-profile'), icon: IconUserCircle, to: '/user/my-profile' },
        { label: t('customizer.title'), icon: IconPalette, act: () => openDialog('customizer') },
        {
          label: t('keys.title'),
          icon: IconKeyboard,
          act: () => openDialog('shortcuts'),
          end: <kbd className={classes.kbd}>?</kbd>,
        },
        'line',
        { label: t('frame.signOut'), icon: IconLogout, act: () => void signOut() },
      ]}
    />
  );
}
