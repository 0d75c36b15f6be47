import { Button } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconArrowsExchange, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../frame/shortcuts.ts';
import { blinkMilliseconds, waitBeforeChange } from './blink-timing.ts';
import classes from './compare.module.css';
import { type ComparedProps, Raster } from './compare-raster.tsx';
import { Stage } from './stage.tsx';
import viewer from './viewer.module.css';

/** Two versions at the same place, by turns: what differs moves. It begins by itself unless less motion is asked for. */
export function Blink({ table, camera, rotation, sight, before, after }: ComparedProps) {
  const { t } = useTranslation();
  const isStill = useReducedMotion(false, { getInitialValueInEffect: false });
  const [isRunning, setRunning] = useState(!isStill);
  const [isAfter, setAfter] = useState(true);
  const last = useRef(Number.NEGATIVE_INFINITY);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = () => {
    if (waiting.current !== undefined) return;
    waiting.current = setTimeout(
      () => {
        waiting.current = undefined;
        last.current = performance.now();
        setAfter((was) => !was);
      },
      waitBeforeChange(last.current, performance.now()),
    );
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(change, blinkMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning]);
  const showOther = () => {
    setRunning(false);
    change();
  };
  const toggle = () => setRunning(!isRunning);
  const toggleWord = isRunning ? 'compare.blink.stop' : 'compare.blink.go';
  useShortcuts('keys.viewer', [
    { keys: 'b', label: 'keys.blink', run: toggle },
    { keys: 'o', label: 'compare.blink.other', run: showOther },
  ]);
  return (
    <>
      <div className={classes.verdict}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={isRunning ? <IconPlayerPause size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
          onClick={toggle}
        >
          {t(toggleWord)}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowsExchange size={15} aria-hidden />}
          onClick={showOther}
        >
          {t('compare.blink.other')}
        </Button>
      </div>
      <div className={viewer.stageWrap}>
        <Stage
          camera={camera}
          page={table.size}
          rotation={rotation}
          label={t('compare.stage.both', { before: before.name, after: after.name, page: before.page.page })}
        >
          <Raster {...before} at={table.original} sight={sight} isHidden={isAfter} />
          <Raster {...after} at={table.production} sight={sight} isHidden={!isAfter} />
        </Stage>
        {/* Not spoken each second: it is when the reader changes it. */}
        <p className={classes.shown} aria-live={isRunning ? 'off' : 'polite'}>
          {isAfter ? after.name : before.name}
        </p>
      </div>
    </>
  );
}
