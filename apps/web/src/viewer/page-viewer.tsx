import { Button, Loader } from '@mantine/core';
import type { SessionPage, Severity } from '@pdf2press/contract';
import { IconChevronDown, IconFrame } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BlobImage } from '../client/blob-image.tsx';
import { LateMenu } from '../frame/late-menu.tsx';
import { formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';
import { Densitometer } from './densitometer.tsx';
import { InkMenu } from './ink-menu.tsx';
import { NoteMarks, type ViewerNotes } from './note-marks.tsx';
import { DrawnMark, NoteToolBar, useNoteTool } from './note-tool.tsx';
import { type Spot, toArea, viewOfArea } from './page-geometry.ts';
import { type BoxName, boxNames, PageOverlay, type PlacedFinding, placesOf } from './page-overlay.tsx';
import type { InkView, PageSource } from './page-source.ts';
import { PageTiles } from './page-tiles.tsx';
import {
  type Line,
  Loupe,
  MarksMenu,
  MeasuredLength,
  MeasuredLine,
  type Tool,
  ToolButtons,
  toolKeys,
  useMarked,
} from './page-tools.tsx';
import { Stage, useCamera } from './stage.tsx';
import classes from './viewer.module.css';
import { ViewerBar } from './viewer-bar.tsx';

/** Loaded when it is first asked for. */
const Crosshair = lazy(async () => ({ default: (await import('./crosshair.tsx')).Crosshair }));
/** Loaded after the page: it is for files of several pages. */
const Thumbnails = lazy(async () => ({ default: (await import('./thumbnails.tsx')).Thumbnails }));

interface Props<F extends PlacedFinding> {
  source: PageSource;
  pages: readonly SessionPage[];
  current: number;
  onOpen: (page: number) => void;
  /** At least those of the current page. */
  findings: readonly F[];
  /** The worst finding of each page that has any. */
  worst: ReadonlyMap<number, Severity>;
  /** The selected finding and a counter, so that selecting it again scrolls to it again. */
  chosen: { finding: F; times: number } | null;
  onChoose: (finding: F) => void;
  /** What can be shown besides the page; by default all of it. */
  hasBoxes?: boolean;
  hasInks?: boolean;
  notes?: ViewerNotes | undefined;
}

const isOn = (finding: PlacedFinding, page: number) => finding.page === page || finding.pages?.includes(page) === true;

/** Server-rendered pages with zoom, thumbnails, page boxes, inks and findings. */
export function PageViewer<F extends PlacedFinding>({
  source,
  pages,
  current,
  onOpen,
  findings,
  worst,
  chosen,
  onChoose,
  hasBoxes = true,
  hasInks = true,
  notes,
}: Props<F>) {
  const { t } = useTranslation();
  const page = pages[current - 1] ?? pages[0];
  const size = { width: page?.widthPt ?? 1, height: page?.heightPt ?? 1 };
  const camera = useCamera(size);
  const [boxes, setBoxes] = useState<readonly BoxName[]>(hasBoxes ? ['trim'] : []);
  const [inks, setInks] = useState<InkView>({ kind: 'all' });
  const [spot, setSpot] = useState<Spot | null>(null);
  const [hasCrosshair, setCrosshair] = useState(false);
  const [tool, chooseTool] = useState<Tool>(null);
  const [line, setLine] = useState<Line | null>(null);
  const setTool = (next: Tool) => {
    chooseTool(next);
    setLine(null);
  };
  const drawing = useNoteTool(page, camera.view.scale, (place) => {
    if (page) notes?.onPlace?.(page.page, place);
    setTool(null);
  });
  const here = findings.filter((finding) => isOn(finding, current));
  const chosenId = chosen?.finding.id ?? null;
  const marked = useMarked(here, chosenId);

  useEffect(() => setLine(null), [current]);

  useEffect(() => {
    const place = chosen && isOn(chosen.finding, current) ? placesOf(chosen.finding)[0] : undefined;
    if (page && place && camera.stage.width > 0) camera.setView(viewOfArea(toArea(page, place), size, camera.stage));
  }, [chosen, current, page?.page, camera.stage.width > 0]);

  if (!page) return null;
  const hasNoteTool = typeof notes?.onPlace === 'function';
  const showBoxes = () => setBoxes(boxes.length > 0 ? [] : ['trim', 'bleed']);
  const drawer =
    tool === 'measure'
      ? { onLine: (from: Spot, to: Spot) => setLine({ from, to }) }
      : tool === 'note'
        ? { onLine: drawing.onLine, onLineEnd: drawing.onLineEnd }
        : {};
  const crosshairKey = { keys: 'x', label: 'keys.crosshair', run: () => setCrosshair(true) };
  const boxesKey = { keys: 'b', label: 'keys.boxes', run: showBoxes };
  return (
    <>
      <ViewerBar
        camera={camera}
        current={current}
        count={pages.length}
        label={page.label ?? undefined}
        onOpen={onOpen}
        end={
          <>
            <ToolButtons tool={tool} onTool={setTool} hasNotes={hasNoteTool} />
            <MarksMenu />
            {hasBoxes && <BoxMenu page={page} value={boxes} onChange={setBoxes} />}
            {hasInks && <InkMenu source={source} page={page} value={inks} onChange={setInks} />}
          </>
        }
        shortcuts={[...(hasBoxes ? [boxesKey] : []), crosshairKey, ...toolKeys(tool, setTool, hasNoteTool)]}
      />
      <div className={classes.stageWrap}>
        <Stage
          camera={camera}
          page={size}
          {...((hasInks || tool === 'loupe') && { onPoint: setSpot })}
          {...drawer}
          onSwipe={(by) => onOpen(Math.max(1, Math.min(pages.length, current + by)))}
          label={t('viewer.stage', {
            page: current,
            errors: t('severity.count.Fail', { count: count(here, 'Fail') }),
            warnings: t('severity.count.Warn', { count: count(here, 'Warn') }),
          })}
        >
          <BlobImage address={source.thumbnail(page.page)} className={classes.ground} draggable={false} />
          <PageTiles source={source} page={page} view={camera.view} stage={camera.stage} inks={inks} />
          <PageOverlay
            page={page}
            boxes={boxes}
            findings={marked}
            chosen={chosenId}
            onChoose={onChoose}
            scale={camera.view.scale}
          />
          {line && tool === 'measure' && <MeasuredLine page={page} line={line} />}
          {tool === 'note' && drawing.drawn && <DrawnMark page={page} place={drawing.drawn} />}
          {notes && <NoteMarks page={page} notes={notes} />}
          {hasCrosshair && (
            <Suspense>
              <Crosshair
                page={page}
                isTold={!hasInks}
                onPoint={setSpot}
                {...drawer}
                onEnd={() => setCrosshair(false)}
              />
            </Suspense>
          )}
        </Stage>
        {!page.isReady && (
          <div className={classes.waiting} role="status">
            <Loader size={14} color="white" aria-hidden />
            {t('page.notReady')}
          </div>
        )}
        {tool === 'measure' && <MeasuredLength page={page} line={line} />}
        {tool === 'note' && <NoteToolBar mark={drawing.mark} onMark={drawing.setMark} />}
        {tool === 'loupe' && spot && <Loupe source={source} page={page} view={camera.view} spot={spot} inks={inks} />}
        {hasInks && <Densitometer source={source} page={page} spot={spot} isSpoken={hasCrosshair} />}
      </div>
      {pages.length > 1 && (
        <Suspense fallback={<div className={classes.thumbs} />}>
          <Thumbnails source={source} count={pages.length} current={current} worst={worst} onOpen={onOpen} />
        </Suspense>
      )}
    </>
  );
}

const count = (findings: readonly PlacedFinding[], severity: string): number =>
  findings.filter((finding) => finding.severity === severity).length;

function BoxMenu({
  page,
  value,
  onChange,
}: {
  page: SessionPage;
  value: readonly BoxName[];
  onChange: (value: readonly BoxName[]) => void;
}) {
  const { t } = useTranslation();
  const [unit] = useUnit();
  return (
    <LateMenu
      button={(opener) => (
        <Button
          variant={value.length > 0 ? 'light' : 'default'}
          size="xs"
          title={t('viewer.boxes')}
          leftSection={<IconFrame size={15} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          {...opener}
        >
          <span className={classes.menuWord}>{t('viewer.boxes')}</span>
        </Button>
      )}
      entries={() =>
        boxNames.map((name) => {
          const [x0, y0, x1, y1] = page.boxes[name];
          return {
            label: t(`viewer.box.${name}`),
            isTicked: value.includes(name),
            tick: (isTicked) => onChange(isTicked ? [...value, name] : value.filter((other) => other !== name)),
            end: (
              <span className={classes.legend}>
                {formatPoints((x1 - x0) * page.userUnit, unit)} × {formatPoints((y1 - y0) * page.userUnit, unit)}
              </span>
            ),
          };
        })
      }
    />
  );
}
