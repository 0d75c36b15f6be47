import { ActionIcon } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconChevronLeft,
  IconChevronRight,
  IconCreditCard,
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
import { trueScale, useScreen } from './true-size.ts';
import classes from './viewer.module.css';

/** Loaded when a page is first jumped to. */
const PageJump = lazy(async () => ({ default: (await import('./page-jump.tsx')).PageJump }));

/** Loaded when the screen is first measured. */
const CardDialog = lazy(async () => ({ default: (await import('./card-dialog.tsx')).CardDialog }));

const zoomStep = 1.25;

interface Props {
  camera: Camera;
  current: number;
  count: number;
  /** What the page, or the pages that are seen together, are called; by default the number. */
  label?: string | undefined;
  /** The page that turning back opens, and the one that turning on does; null where there is none. By default its neighbours. */
  turn?: { back: number | null; on: number | null };
  onOpen: (page: number) => void;
  /** Between the pages and the zoom. */
  children?: ReactNode;
  /** Behind the zoom. */
  end?: ReactNode;
  shortcuts?: readonly Shortcut[];
}

/** Page and zoom controls of all viewers, with their keys. */
export function ViewerBar({ camera, current, count, label, turn, onOpen, children, end, shortcuts = [] }: Props) {
  const { t } = useTranslation();
  const { back, on } = turn ?? {
    back: turnedTo('single', current, count, -1),
    on: turnedTo('single', current, count, 1),
  };
  const open = (page: number | null) => page !== null && onOpen(page);
  const zoomIn = () => camera.zoomBy(zoomStep);
  const zoomOut = () => camera.zoomBy(1 / zoomStep);
  const density = useScreen((screen) => screen.density);
  const asOnPaper = trueScale(density, window.devicePixelRatio);
  const [isMeasuring, setMeasuring] = useState(false);
  const showTrueSize = () => (density === null ? setMeasuring(true) : camera.zoomBy(asOnPaper / camera.view.scale));
  const [isJumping, setJumping] = useState(false);
  const fullScreen = useFullScreen();
  useShortcuts('keys.viewer', [
    { keys: 'ArrowLeft', label: 'keys.pageBack', run: () => open(back) },
    { keys: 'ArrowRight', label: 'keys.pageOn', run: () => open(on) },
    { keys: '+', label: 'keys.zoomIn', run: zoomIn },
    { keys: '-', label: 'keys.zoomOut', run: zoomOut },
    { keys: '0', label: 'keys.fit', run: camera.fit },
    { keys: '1', label: 'keys.trueSize', run: showTrueSize },
    ...(count > 1 ? [{ keys: 'j', label: 'keys.jump', run: () => setJumping(true) }] : []),
    ...(fullScreen ? [{ keys: 'f', label: 'keys.fullScreen', run: fullScreen.toggle }] : []),
    ...shortcuts,
  ]);
  const button = (word: string, icon: ReactNode, act: () => void, isDisabled = false) => (
    <Hint label={word}>
      <ActionIcon variant="subtle" color="neutral" aria-label={word} onClick={act} disabled={isDisabled}>
        {icon}
      </ActionIcon>
    </Hint>
  );
  return (
    <div className={classes.bar}>
      <div className={classes.pages}>
        {button(t('keys.pageBack'), <IconChevronLeft size={18} />, () => open(back), back === null)}
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
        {button(t('keys.pageOn'), <IconChevronRight size={18} />, () => open(on), on === null)}
      </div>
      {children}
      <div className={classes.barEnd}>
        {button(t('keys.zoomOut'), <IconZoomOut size={18} />, zoomOut)}
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
          ]}
        />
        {button(t('keys.zoomIn'), <IconZoomIn size={18} />, zoomIn)}
        {button(t('keys.fit'), <IconZoomScan size={18} />, camera.fit)}
        {end}
        {fullScreen &&
          button(
            t(fullScreen.isOn ? 'viewer.leaveFullScreen' : 'keys.fullScreen'),
            fullScreen.isOn ? <IconArrowsMinimize size={18} /> : <IconArrowsMaximize size={18} />,
            fullScreen.toggle,
          )}
      </div>
      <Suspense>
        {isMeasuring && (
          <CardDialog
            onClose={() => setMeasuring(false)}
            onMeasured={(measured) => {
              setMeasuring(false);
              useScreen.setState({ density: measured });
              camera.zoomBy(trueScale(measured, window.devicePixelRatio) / camera.view.scale);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
