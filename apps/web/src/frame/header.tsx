import { ActionIcon, Avatar, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import { authRoutes, locales, systemRoutes } from '@pdf2press/contract';
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
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMe } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { queries, useCall } from '../client/queries.ts';
import { forgetTokens } from '../client/tokens.ts';
import { languageNames, setLanguage } from '../language/language.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './frame.module.css';
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
          <LanguageMenu />
          <ThemeMenu />
        </span>
        <Bell />
        <UserMenu />
      </div>
    </header>
  );
}

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const choose = (language: string) => {
    setPreferences({ language });
    setLanguage(language).catch(notify.failure);
  };
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={t('frame.language')}>
          <ActionIcon variant="subtle" color="neutral" size={40} aria-label={t('frame.language')}>
            <IconLanguage size={20} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={i18n.language} onChange={choose}>
          {locales.map((locale) => (
            <Menu.RadioItem key={locale} lang={locale} value={locale} closeMenuOnClick>
              {languageNames[locale]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

const themeIcons = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop };

export function ThemeMenu() {
  const { t } = useTranslation();
  const theme = usePreferences((preferences) => preferences.theme);
  const Current = themeIcons[theme];
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={t('customizer.theme')}>
          <ActionIcon variant="subtle" color="neutral" size={40} aria-label={t('customizer.theme')}>
            <Current size={20} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={theme} onChange={(choice) => setPreferences({ theme: choice as typeof theme })}>
          {(['light', 'dark', 'system'] as const).map((choice) => {
            const Icon = themeIcons[choice];
            return (
              <Menu.RadioItem key={choice} value={choice} rightSection={<Icon size={16} />} closeMenuOnClick>
                {t(`customizer.theme.${choice}`)}
              </Menu.RadioItem>
            );
          })}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function Bell() {
  const { t } = useTranslation();
  const { data } = useCall(systemRoutes.notifications, undefined, { staleTime: 60_000, refetchInterval: 120_000 });
  const unread = data?.filter((one) => !one.isRead).length ?? 0;
  const label = unread > 0 ? t('frame.unread', { count: unread }) : t('nav.notifications');
  return (
    <Tooltip label={label}>
      <ActionIcon
        component={Link}
        to="/notification"
        variant="subtle"
        color="neutral"
        size={40}
        aria-label={label}
        className={unread > 0 ? classes.unread : undefined}
      >
        <IconBell size={20} />
      </ActionIcon>
    </Tooltip>
  );
}

function UserMenu() {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const name = me ? `${me.firstName} ${me.lastName}`.trim() : '';
  const signOut = async () => {
    // Whether or not the server hears of it, this browser forgets.
    await call(authRoutes.logout, { body: {} }).catch(() => undefined);
    forgetTokens();
    queries.clear();
    void navigate('/login', { replace: true });
  };
  return (
    <Menu width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={t('frame.account', { name })} style={{ borderRadius: '50%', marginInlineStart: 4 }}>
          <Avatar name={name || '?'} color="brand" variant="light" size={36} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name}
          <br />
          {me?.email}
        </Menu.Label>
        <Menu.Item component={Link} to="/user/my-profile" leftSection={<IconUserCircle size={16} />}>
          {t('title.my-profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPalette size={16} />} onClick={() => openDialog('customizer')}>
          {t('customizer.title')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          onClick={() => openDialog('shortcuts')}
          rightSection={<kbd className={classes.kbd}>?</kbd>}
        >
          {t('keys.title')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('frame.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
