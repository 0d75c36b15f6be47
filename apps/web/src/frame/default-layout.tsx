import { ActionIcon } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMenu2 } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useMatches, useNavigation } from 'react-router';
import { useOwnLanguage } from '../account/own-language.ts';
import { overlayBreakpoint } from '../constants.ts';
import { useHouseLook } from '../preferences/house-look.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { useTheme } from '../preferences/use-theme.ts';
import { themeVariables } from '../theme/theme.ts';
import { UploadCenter } from '../uploads/upload-center.tsx';
import { Brand } from './brand.tsx';
import { useQuestion } from './confirm.ts';
import { useAddress } from './embed.ts';
import { useFocusBack } from './focus-back.ts';
import { Footer } from './footer.tsx';
import classes from './frame.module.css';
import { FrameDialogs } from './frame-dialogs.tsx';
import { Header } from './header.tsx';
import { Hint } from './hint.tsx';
import { expectFloating } from './late.tsx';
import { HorizontalEntries, VerticalEntries } from './navigation.tsx';
import { type Place, Places } from './place.ts';
import { places } from './places.ts';
import { ScrollToTop } from './scroll-to-top.tsx';

const EmbedLayout = lazy(async () => ({ default: (await import('./embed-layout.tsx')).EmbedLayout }));
const OverlayNavigation = lazy(async () => ({ default: (await import('./overlay-navigation.tsx')).OverlayNavigation }));
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

/** The frame for signed-in visitors. Below 976 px the navigation is an overlay; the stored layout is kept and applies above. */
export function DefaultLayout() {
  const { isEmbed, hasToken } = useAddress();
  return (
    <Places value={places}>
      {isEmbed ? (
        <>
          <Suspense>
            <EmbedLayout />
          </Suspense>
          {hasToken && <UploadCenter />}
          <Questions />
        </>
      ) : (
        <Frame />
      )}
    </Places>
  );
}

function Frame() {
  const { t } = useTranslation();
  useOwnLanguage();
  useHouseLook();
  const { layout, navigationCollapsed, contentWidth, semiDarkNavigation, primaryDark, skin, density } =
    usePreferences();
  const theme = useTheme();
  const isWide = useMediaQuery(`(min-width: ${overlayBreakpoint}px)`, undefined, { getInitialValueInEffect: false });
  const [isOverlayOpen, overlay] = useDisclosure();
  useFocusBack(isOverlayOpen);
  const place = useMatches().at(-1)?.handle as Place | undefined;
  const isVertical = isWide && layout === 'vertical';
  const isHorizontal = isWide && layout === 'horizontal';
  const navStyle = semiDarkNavigation && theme === 'light' ? themeVariables('dark', primaryDark) : undefined;
  const isFixed = place?.height === 'fixed';
  const main = useMainFocus();
  const isBoxed = place?.width !== 'fluid' && contentWidth === 'boxed';

  useEffect(expectFloating, []);
  useEffect(() => {
    if (isWide) overlay.close();
  }, [isWide, overlay.close]);
  useEffect(() => {
    document.documentElement.dataset.skin = skin;
    document.documentElement.dataset.density = density;
  }, [skin, density]);

  return (
    <div className={classes.frame} data-frame={isVertical ? 'vertical' : isHorizontal ? 'horizontal' : 'overlay'}>
      <a href="#main" className={classes.skip}>
        {t('frame.skip')}
      </a>
      <Progress />
      {isVertical && (
        <nav
          className={classes.nav}
          style={navStyle}
          data-collapsed={navigationCollapsed || undefined}
          aria-label={t('frame.navigation')}
        >
          <Brand isCollapsed={navigationCollapsed} />
          <div className={classes.navScroll}>
            <VerticalEntries isCollapsed={navigationCollapsed} />
          </div>
          <div className={classes.navFoot}>
            <CollapseButton />
          </div>
        </nav>
      )}
      <div className={classes.column}>
        <Header
          start={
            isWide ? (
              isHorizontal && <Brand />
            ) : (
              <>
                <OpenNavigation isOpen={isOverlayOpen} onOpen={overlay.open} />
                <Brand />
              </>
            )
          }
        />
        {isHorizontal && (
          <nav className={classes.bar} style={navStyle} aria-label={t('frame.navigation')}>
            <HorizontalEntries />
          </nav>
        )}
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className={classes.main}
          data-boxed={isBoxed || undefined}
          data-height={place?.height}
          data-bar={isHorizontal || undefined}
        >
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
        {!isFixed && <Footer />}
      </div>
      {!isWide && (
        <Suspense>
          <OverlayNavigation isOpen={isOverlayOpen} onClose={overlay.close} />
        </Suspense>
      )}
      {!isFixed && <ScrollToTop />}
      <UploadCenter />
      <FrameDialogs />
      <Questions />
    </div>
  );
}

/** Shows the navigation where there is no room for it beside the page. */
function OpenNavigation({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <ActionIcon
      variant="subtle"
      color="neutral"
      size={44}
      onClick={onOpen}
      aria-label={t('frame.openNavigation')}
      aria-expanded={isOpen}
    >
      <IconMenu2 size={22} />
    </ActionIcon>
  );
}

/** The confirmation dialog is loaded when it is first needed. */
function Questions() {
  const isAsked = useQuestion((state) => state.question !== null);
  const [wasAsked, setWasAsked] = useState(false);
  useFocusBack(isAsked);
  useEffect(() => {
    if (isAsked) setWasAsked(true);
  }, [isAsked]);
  return isAsked || wasAsked ? (
    <Suspense>
      <ConfirmDialog />
    </Suspense>
  ) : null;
}

function CollapseButton() {
  const { t } = useTranslation();
  const isCollapsed = usePreferences((preferences) => preferences.navigationCollapsed);
  const label = t(isCollapsed ? 'frame.expand' : 'frame.collapse');
  const Icon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <Hint label={`${label}  [`} position="right">
      <ActionIcon
        variant="subtle"
        color="neutral"
        size="lg"
        aria-label={label}
        aria-expanded={!isCollapsed}
        onClick={() => setPreferences({ navigationCollapsed: !isCollapsed })}
      >
        <Icon size={20} />
      </ActionIcon>
    </Hint>
  );
}

/** A progress line while the next page's chunk loads. */
function Progress() {
  return useNavigation().state === 'idle' ? null : <div className={classes.progress} aria-hidden />;
}

/** After navigation: scrolls to the top and focuses the main area, so that screen readers announce the new page. */
function useMainFocus() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
