import { Button, Loader, SegmentedControl, Slider } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { SessionPage } from '@pdf2press/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BlobImage } from '../client/blob-image.tsx';
import { formatNumber } from '../language/formats.ts';
import classes from './compare.module.css';
import { type Alignment, alignPages } from './difference.ts';
import { DifferencePicture, type Differing } from './difference-picture.tsx';
import { viewOfArea } from './page-geometry.ts';
import type { PageSource } from './page-source.ts';
import { PageTiles } from './page-tiles.tsx';
import { type Camera, Stage, useCamera } from './stage.tsx';
import viewer from './viewer.module.css';
import { ViewerBar } from './viewer-bar.tsx';

export interface Version {
  /** What it is called. */
  name: string;
  source: PageSource;
  pages: readonly SessionPage[];
}
interface Props {
  before: Version;
  after: Version;
  current: number;
  onOpen: (page: number) => void;
}

const modes = ['sideBySide', 'swipe', 'difference'] as const;
type Mode = (typeof modes)[number];

/** Compares two versions of a file: side by side, with a divider, or as a difference. */
export function CompareViewer({ before: then, after: now, current, onOpen }: Props) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<Mode>('sideBySide');
  const count = Math.max(then.pages.length, now.pages.length);
  const at = Math.min(current, count);
  const [before, after] = [then.pages[at - 1], now.pages[at - 1]];
  const table = before && after ? alignPages(before, after) : null;
  const alone = before ?? after;
  const camera = useCamera(table?.size ?? { width: alone?.widthPt ?? 1, height: alone?.heightPt ?? 1 });
  return (
    <>
      <ViewerBar camera={camera} current={at} count={count} onOpen={onOpen}>
        <SegmentedControl
          size="xs"
          aria-label={t('compare.mode')}
          value={mode}
          onChange={(value) => setMode(value as Mode)}
          data={modes.map((value) => ({ value, label: t(`compare.${value}`) }))}
        />
      </ViewerBar>
      {table && before && after ? (
        <Compared
          key={mode}
          mode={mode}
          turn={at < count ? () => onOpen(at + 1) : at > 1 ? () => onOpen(1) : null}
          isLast={at === count}
          table={table}
          camera={camera}
          before={{ name: then.name, source: then.source, page: before }}
          after={{ name: now.name, source: now.source, page: after }}
        />
      ) : (
        <p className={classes.missing}>{t('compare.missing')}</p>
      )}
    </>
  );
}

interface Side {
  name: string;
  source: PageSource;
  page: SessionPage;
}
interface ComparedProps {
  table: Alignment;
  camera: Camera;
  before: Side;
  after: Side;
  /** Opens the next page, after the last one the first; null where there is one page. */
  turn: (() => void) | null;
  isLast: boolean;
}

function Compared({ mode, ...rest }: ComparedProps & { mode: Mode }) {
  if (mode === 'swipe') return <Swipe {...rest} />;
  if (mode === 'difference') return <Difference {...rest} />;
  return <SideBySide {...rest} />;
}

/** Two stages with one camera, so that they scroll and zoom together. */
function SideBySide({ table, camera, before, after }: ComparedProps) {
  const { t } = useTranslation();
  const { ref, width, height } = useElementSize();
  const { size } = table;
  // Stacked if that makes the pages larger.
  const isStacked =
    Math.min(width / size.width, height / 2 / size.height) > Math.min(width / 2 / size.width, height / size.height);
  // Both stages have the same size; the first is measured for both.
  const follower = { ...camera, ref: () => undefined };
  return (
    <div ref={ref} className={classes.halves} data-stacked={isStacked || undefined}>
      <figure className={classes.half}>
        <Stage
          camera={camera}
          page={table.size}
          label={t('compare.stage', { version: before.name, page: before.page.page })}
        >
          <Raster {...before} at={table.original} camera={camera} />
        </Stage>
        <figcaption>{before.name}</figcaption>
      </figure>
      <figure className={classes.half}>
        <Stage
          camera={follower}
          page={table.size}
          label={t('compare.stage', { version: after.name, page: after.page.page })}
        >
          <Raster {...after} at={table.production} camera={camera} />
        </Stage>
        <figcaption>{after.name}</figcaption>
      </figure>
    </div>
  );
}

function Swipe({ table, camera, before, after }: ComparedProps) {
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
          label={t('compare.stage.both', { before: before.name, after: after.name, page: before.page.page })}
        >
          <Raster {...before} at={table.original} camera={camera} />
          <div className={classes.over} style={{ clipPath: `inset(0 0 0 ${share}%)` }}>
            <Raster {...after} at={table.production} camera={camera} />
          </div>
          <div className={classes.divider} style={{ left: `${share}%` }} />
        </Stage>
      </div>
    </>
  );
}

/** The areas of a page that differ, one after the other, and then those of the pages after it. */
function useChanges({ table, camera, turn, isLast }: ComparedProps) {
  const [found, setFound] = useState<Differing | null>(null);
  /** Index of the area that is looked at; -1 while the whole page is. */
  const [at, setAt] = useState(-1);
  /** The next change is looked for on the pages that follow. */
  const isSeeking = useRef(false);
  const look = (areas: Differing['areas'], index: number) => {
    const area = areas[index];
    if (!area) return;
    setAt(index);
    camera.setView(viewOfArea(area, table.size, camera.stage));
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

function Difference(props: ComparedProps) {
  const { table, camera, before, after, turn } = props;
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
          label={t('compare.stage.both', { before: before.name, after: after.name, page: before.page.page })}
        >
          <DifferencePicture table={table} before={before} after={after} onFound={take} />
        </Stage>
      </div>
    </>
  );
}

/** The raster of a page at its position in the common area. */
function Raster({ source, page, at, camera }: Omit<Side, 'name'> & { at: { x: number; y: number }; camera: Camera }) {
  const { scale, x, y } = camera.view;
  return (
    <div
      className={classes.raster}
      style={{
        left: at.x * scale,
        top: at.y * scale,
        inlineSize: page.widthPt * scale,
        blockSize: page.heightPt * scale,
      }}
    >
      <BlobImage address={source.thumbnail(page.page)} className={viewer.ground} draggable={false} />
      <PageTiles
        source={source}
        page={page}
        view={{ scale, x: x + at.x * scale, y: y + at.y * scale }}
        stage={camera.stage}
        inks={{ kind: 'all' }}
      />
    </div>
  );
}
