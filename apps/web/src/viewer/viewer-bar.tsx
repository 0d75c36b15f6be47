import { ActionIcon } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconChevronLeft,
  IconChevronRight,
  IconCreditCard,
  IconRotate2,
  IconRotateClockwise2,
  IconRulerMeasure,
  IconZoomIn,
  IconZoomOut,
  IconZoomScan,
} from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../frame/hint.tsx';
import { LateMenu } from '../frame/late-menu.tsx';
import { type Shortcut, useShortcuts } from '../frame/shortcuts.ts';
import { formatPercent } from '../language/formats.ts';
import { useFullScreen } from './full-screen.ts';
import { turnedTo } from './openings.ts';
import type { Camera } from './stage.tsx';
import { keepDensity, trueScale, useScreen } from './true-size.ts';
import classes from './viewer.module.css';

/** Loaded when a page is first jumped to. */
const PageJump = lazy(async () => ({ default: (await import('./asked-for.ts')).PageJump }));

/** Loaded when the screen is first measured. */
const CardDialog = lazy(async () => ({ default: (await import('./asked-for.ts')).CardDialog }));

const zoomStep = 1.25;

interface Props {
  camera: Camera;
  current: number;
  count: number;
  /** What the page, or the pages that are seen together, are called; by default the number. */
  label?: string | undefined;
  /** The page that turning back opens, and the one that turning on does; null where there is none. By default its neighbours. */
  turn?: { back: number | null; on: number | null };
  /** The next pages lie to the left of those that are shown: keys and buttons turn that way. */
  isOnLeft?: boolean;
  onOpen: (page: number) => void;
  /** Turns what is shown, degrees clockwise; absent where that is not offered. */
  onRotate?: (by: 90 | -90) => void;
  /** Between the pages and the zoom. */
  children?: ReactNode;
  /** Behind the zoom. */
  end?: ReactNode;
  shortcuts?: readonly Shortcut[];
  /** Whether the keys go to this bar; two may be on the screen. */
  hasKeys?: boolean;
}

/** Page and zoom controls of all viewers, with their keys. */
export function ViewerBar({
  camera,
  current,
  count,
  label,
  turn,
  isOnLeft = false,
  onOpen,
  onRotate,
  children,
  end,
  shortcuts = [],
  hasKeys = true,
}: Props) {
  const { t } = useTranslation();
  const { back, on } = turn ?? {
    back: turnedTo('single', current, count, -1),
    on: turnedTo('single', current, count, 1),
  };
  const ways = [
    { label: 'keys.pageBack', page: back },
    { label: 'keys.pageOn', page: on },
  ] as const;
  const [toLeft, toRight] = isOnLeft ? [ways[1], ways[0]] : ways;
  const open = (page: number | null) => page !== null && onOpen(page);
  const zoomIn = () => camera.zoomBy(zoomStep);
  const zoomOut = () => camera.zoomBy(1 / zoomStep);
  const density = useScreen((screen) => screen.density);
  const asOnPaper = trueScale(density, window.devicePixelRatio);
  const [isMeasuring, setMeasuring] = useState(false);
  const showTrueSize = () => (density === null ? setMeasuring(true) : camera.zoomBy(asOnPaper / camera.view.scale));
  const [isJumping, setJumping] = useState(false);
  const keys = [
    { keys: 'ArrowLeft', label: toLeft.label, run: () => open(toLeft.page) },
    { keys: 'ArrowRight', label: toRight.label, run: () => open(toRight.page) },
    { keys: '+', label: 'keys.zoomIn', run: zoomIn },
    { keys: '-', label: 'keys.zoomOut', run: zoomOut },
    { keys: '0', label: 'keys.fit', run: camera.fit },
    { keys: '1', label: 'keys.trueSize', run: showTrueSize },
    ...(count > 1 ? [{ keys: 'j', label: 'keys.jump', run: () => setJumping(true) }] : []),
    ...shortcuts,
  ];
  useShortcuts('keys.viewer', hasKeys ? keys : []);
  return (
    <div className={classes.bar}>
      <div className={classes.pages}>
        <BarButton word={t(toLeft.label)} act={() => open(toLeft.page)} isDisabled={toLeft.page === null}>
          <IconChevronLeft size={18} />
        </BarButton>
        {isJumping ? (
          <Suspense>
            <PageJump current={current} count={count} onOpen={onOpen} onEnd={() => setJumping(false)} />
          </Suspense>
        ) : (
          <button
            type="button"
            className={classes.pageOf}
            title={count > 1 ? t('keys.jump') : undefined}
            aria-live="polite"
            disabled={count < 2}
            onClick={() => setJumping(true)}
          >
            {t('viewer.pageOf', { page: label ?? current, count })}
          </button>
        )}
        <BarButton word={t(toRight.label)} act={() => open(toRight.page)} isDisabled={toRight.page === null}>
          <IconChevronRight size={18} />
        </BarButton>
      </div>
      {children}
      <div className={classes.barEnd}>
        <BarButton word={t('keys.zoomOut')} act={zoomOut} isSpare>
          <IconZoomOut size={18} />
        </BarButton>
        <LateMenu
          button={(opener) => (
            <button type="button" className={classes.zoom} title={t('viewer.zoom')} {...opener}>
              {formatPercent(camera.view.scale / asOnPaper)}
            </button>
          )}
          entries={() => [
            { label: t('keys.fit'), icon: IconZoomScan, act: camera.fit },
            { label: t('keys.trueSize'), icon: IconRulerMeasure, act: showTrueSize },
            { label: t('viewer.card.title'), icon: IconCreditCard, act: () => setMeasuring(true) },
            onRotate !== undefined && {
              label: t('keys.rotateRight'),
              icon: IconRotateClockwise2,
              act: () => onRotate(90),
            },
            onRotate !== undefined && { label: t('keys.rotateLeft'), icon: IconRotate2, act: () => onRotate(-90) },
          ]}
        />
        <BarButton word={t('keys.zoomIn')} act={zoomIn} isSpare>
          <IconZoomIn size={18} />
        </BarButton>
        <BarButton word={t('keys.fit')} act={camera.fit} isSpare>
          <IconZoomScan size={18} />
        </BarButton>
        {onRotate && (
          <BarButton word={t('keys.rotateRight')} act={() => onRotate(90)} isSpare="first">
            <IconRotateClockwise2 size={18} />
          </BarButton>
        )}
        {end}
        <FullScreenButton />
      </div>
      <Suspense>
        {isMeasuring && (
          <CardDialog
            onClose={() => setMeasuring(false)}
            onMeasured={(measured) => {
              setMeasuring(false);
              keepDensity(measured);
              camera.zoomBy(trueScale(measured, window.devicePixelRatio) / camera.view.scale);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

/** Fills the screen with the viewer, where that can be. */
export function FullScreenButton() {
  const { t } = useTranslation();
  const fullScreen = useFullScreen();
  // The letter alone shows the findings of a proof, which its readers look for far more often.
  useShortcuts(
    'keys.viewer',
    fullScreen ? [{ keys: 'shift+f', label: 'keys.fullScreen', run: fullScreen.toggle }] : [],
  );
  if (!fullScreen) return null;
  return (
    <BarButton word={t(fullScreen.isOn ? 'viewer.leaveFullScreen' : 'keys.fullScreen')} act={fullScreen.toggle}>
      {fullScreen.isOn ? <IconArrowsMinimize size={18} /> : <IconArrowsMaximize size={18} />}
    </BarButton>
  );
}

interface BarButtonProps {
  word: string;
  act: () => void;
  isDisabled?: boolean;
  /**
   * Left out where the bar is half of a telephone: two fingers and the menu of the zoom do the same. `first`: where menus are
   * icons alone.
   */
  isSpare?: boolean | 'first';
  children: ReactNode;
}

function BarButton({ word, act, isDisabled = false, isSpare = false, children }: BarButtonProps) {
  return (
    <Hint label={word}>
      <ActionIcon
        variant="subtle"
        color="neutral"
        aria-label={word}
        onClick={act}
        disabled={isDisabled}
        data-spare={isSpare || undefined}
      >
        {children}
      </ActionIcon>
    </Hint>
  );
}
