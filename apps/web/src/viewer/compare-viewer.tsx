import { ActionIcon, Button, Loader, SegmentedControl, Slider } from '@mantine/core';
import { IconUnlink } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../frame/hint.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { formatNumber } from '../language/formats.ts';
import { Apart, Halves } from './apart.tsx';
import { Blink } from './blink.tsx';
import classes from './compare.module.css';
import { type ComparedProps, Raster, type Version } from './compare-raster.tsx';

import { alignPages } from './difference.ts';
import { DifferencePicture, type Differing } from './difference-picture.tsx';
import { viewOfArea } from './page-geometry.ts';
import { rotatedArea, rotatedSize, unrotated } from './page-rotation.ts';
import { type Camera, Stage, useCamera } from './stage.tsx';
import { dividerOnTable, rightOfDivider } from './swipe-divider.ts';
import { UndrawableNotice } from './undrawable-notice.tsx';
import { useRotation } from './use-rotation.ts';
import viewer from './viewer.module.css';
import { FullScreenButton, ViewerBar } from './viewer-bar.tsx';

interface Props {
  before: Version;
  after: Version;
  current: number;
  onOpen: (page: number) => void;
}

const modes = ['sideBySide', 'swipe', 'blink', 'difference'] as const;
type Mode = (typeof modes)[number];

/** Compares two versions of a file: side by side, with a divider, by turns, or as a difference. */
export function CompareViewer({ before: then, after: now, current, onOpen }: Props) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<Mode>('sideBySide');
  const count = Math.max(then.pages.length, now.pages.length);
  const at = Math.min(current, count);
  const [before, after] = [then.pages[at - 1], now.pages[at - 1]];
  const table = before && after ? alignPages(before, after) : null;
  // A page without a picture stands beside the other, but covers it in no way.
  const isUndrawable = before?.isUndrawable === true || after?.isUndrawable === true;
  const isShown = mode === 'sideBySide' || !isUndrawable;
  const alone = before ?? after;
  const size = table?.size ?? { width: alone?.widthPt ?? 1, height: alone?.heightPt ?? 1 };
  // Both are turned together, as the one after was turned when it was looked at alone.
  const { rotation, rotateBy, rotationKeys } = useRotation([now.source.thumbnail(at), then.source.thumbnail(at)], () =>
    camera.fit(),
  );
  const camera = useCamera(rotatedSize(size, rotation));
  const [isApart, setApart] = useState(false);
  const controls = (
    <div className={classes.modes}>
      <SegmentedControl
        size="xs"
        className={classes.choice}
        aria-label={t('compare.mode')}
        value={mode}
        onChange={(value) => setMode(value as Mode)}
        data={modes.map((value) => ({ value, label: t(`compare.${value}`) }))}
      />
      {mode === 'sideBySide' && (
        <Hint label={t('compare.unlink')}>
          <ActionIcon
            variant={isApart ? 'light' : 'subtle'}
            {...(!isApart && { color: 'neutral' })}
            aria-label={t('compare.unlink')}
            aria-pressed={isApart}
            onClick={() => setApart(!isApart)}
          >
            <IconUnlink size={18} />
          </ActionIcon>
        </Hint>
      )}
    </div>
  );
  useShortcuts(
    'keys.viewer',
    mode === 'sideBySide' ? [{ keys: 'l', label: 'compare.unlink', run: () => setApart(!isApart) }] : [],
  );
  if (mode === 'sideBySide' && isApart)
    return (
      <>
        <div className={viewer.bar}>
          {controls}
          <FullScreenButton />
        </div>
        <Apart before={then} after={now} current={at} onOpen={onOpen} />
      </>
    );
  return (
    <>
      <ViewerBar
        camera={camera}
        current={at}
        count={count}
        onOpen={onOpen}
        {...(table && isShown && { onRotate: rotateBy, shortcuts: rotationKeys })}
      >
        {controls}
      </ViewerBar>
      {table && before && after && isShown ? (
        <Compared
          key={mode}
          mode={mode}
          turn={at < count ? () => onOpen(at + 1) : at > 1 ? () => onOpen(1) : null}
          isLast={at === count}
          table={table}
          camera={camera}
          rotation={rotation}
          sight={unrotated(table.size, camera.view, camera.stage, rotation)}
          before={{ name: then.name, source: then.source, page: before }}
          after={{ name: now.name, source: now.source, page: after }}
        />
      ) : (
        <p className={classes.missing}>{t(table ? 'viewer.undrawable' : 'compare.missing')}</p>
      )}
    </>
  );
}

interface TurningProps extends ComparedProps {
  /** Opens the next page, after the last one the first; null where there is one page. */
  turn: (() => void) | null;
  isLast: boolean;
}

function Compared({ mode, ...rest }: TurningProps & { mode: Mode }) {
  if (mode === 'swipe') return <Swipe {...rest} />;
  if (mode === 'blink') return <Blink {...rest} />;
  if (mode === 'difference') return <Difference {...rest} />;
  return <SideBySide {...rest} />;
}

/** Two stages with one camera, so that they scroll and zoom together. */
function SideBySide({ table, camera, rotation, sight, before, after }: ComparedProps) {
  const { t } = useTranslation();
  // Both stages have the same size; the first is measured for both.
  const follower = { ...camera, ref: () => undefined };
  const half = (side: ComparedProps['before'], place: { x: number; y: number }, own: Camera) => (
    <figure className={classes.half}>
      <Stage
        camera={own}
        page={table.size}
        rotation={rotation}
        label={t('compare.stage', { version: side.name, page: side.page.page })}
      >
        <Raster {...side} at={place} sight={sight} />
      </Stage>
      {side.page.isUndrawable && <UndrawableNotice />}
      <figcaption>{side.name}</figcaption>
    </figure>
  );
  return (
    <Halves size={rotatedSize(table.size, rotation)}>
      {half(before, table.original, camera)}
      {half(after, table.production, follower)}
    </Halves>
  );
}

function Swipe({ table, camera, rotation, sight, before, after }: ComparedProps) {
  const { t } = useTranslation();
  const [share, setShare] = useState(50);
  return (
    <>
      <div className={classes.slider}>
        <span>{before.name}</span>
        <Slider
          value={share}
          onChange={setShare}
          label={null}
          thumbSize={24}
          thumbLabel={t('compare.divider', { before: before.name, after: after.name })}
          className={classes.track}
        />
        <span>{after.name}</span>
      </div>
      <div className={viewer.stageWrap}>
        <Stage
          camera={camera}
          page={table.size}
          rotation={rotation}
          label={t('compare.stage.both', { before: before.name, after: after.name, page: before.page.page })}
        >
          <Raster {...before} at={table.original} sight={sight} />
          <div className={classes.over} style={{ clipPath: rightOfDivider(share, rotation) }}>
            <Raster {...after} at={table.production} sight={sight} />
          </div>
          <div
            className={classes.divider}
            data-across={rotation % 180 !== 0 || undefined}
            style={dividerOnTable(share, rotation)}
          />
        </Stage>
      </div>
    </>
  );
}

/** The areas of a page that differ, one after the other, and then those of the pages after it. */
function useChanges({ table, camera, rotation, turn, isLast }: TurningProps) {
  const [found, setFound] = useState<Differing | null>(null);
  /** Index of the area that is looked at; -1 while the whole page is. */
  const [at, setAt] = useState(-1);
  /** The next change is looked for on the pages that follow. */
  const isSeeking = useRef(false);
  const look = (areas: Differing['areas'], index: number) => {
    const area = areas[index];
    if (!area) return;
    setAt(index);
    camera.setView(viewOfArea(rotatedArea(area, rotation), rotatedSize(table.size, rotation), camera.stage));
  };
  return {
    found,
    at,
    take: (next: Differing | null) => {
      setFound(next);
      if (next === null) return setAt(-1);
      if (!isSeeking.current) return;
      const hasMore = next.areas.length === 0 && !isLast && turn !== null;
      isSeeking.current = hasMore;
      if (hasMore) turn();
      else look(next.areas, 0);
    },
    next: () => {
      if (!found) return;
      if (at + 1 < found.areas.length) return look(found.areas, at + 1);
      isSeeking.current = turn !== null;
      if (turn) turn();
      else look(found.areas, 0);
    },
  };
}

function Difference(props: TurningProps) {
  const { table, camera, rotation, before, after, turn } = props;
  const { t } = useTranslation();
  const { found, at, take, next } = useChanges(props);
  const text =
    found === null
      ? t('compare.counting')
      : found.changed === 0
        ? t('compare.same', { dpi: found.dpi })
        : t('compare.differs', {
            count: found.changed,
            shown: formatNumber(found.changed),
            dpi: found.dpi,
            share: formatNumber(found.changed / found.total, { style: 'percent', maximumSignificantDigits: 2 }),
          });
  return (
    <>
      <p className={classes.verdict} role="status">
        {found === null && <Loader size={14} aria-hidden />}
        {text}
        {found !== null && (found.changed > 0 || turn !== null) && (
          <Button size="compact-sm" variant="default" className={classes.next} onClick={next}>
            {t('compare.next')}
          </Button>
        )}
        {found !== null && at >= 0 && <span>{t('compare.nth', { number: at + 1, count: found.areas.length })}</span>}
      </p>
      <div className={viewer.stageWrap}>
        <Stage
          camera={camera}
          page={table.size}
          rotation={rotation}
          label={t('compare.stage.both', { before: before.name, after: after.name, page: before.page.page })}
        >
          <DifferencePicture table={table} before={before} after={after} onFound={take} />
        </Stage>
      </div>
    </>
  );
}
