import { Button, Loader } from '@mantine/core';
import type { PageBinding, SessionPage, Severity } from '@pdf2press/contract';
import { IconChevronDown, IconFrame } from '@tabler/icons-react';
import {
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { LateMenu } from '../frame/late-menu.tsx';
import { formatNumber, formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';

import { InkMenu } from './ink-menu.tsx';
import { NoteMarks, type ViewerNotes } from './note-marks.tsx';
import { DrawnMark, NoteToolBar, useNoteTool } from './note-tool.tsx';
import {
  alone,
  areaOn,
  facing,
  isOnPage,
  type Opening,
  type PlacedPage,
  pagesAhead,
  pagesSeen,
  spotOn,
  turnedTo,
} from './openings.ts';
import { type Spot, toArea, viewOfArea } from './page-geometry.ts';
import { boxNames, cornersOf, type Outline, PageOverlay, type PlacedFinding, placesOf } from './page-overlay.tsx';
import { PagePicture } from './page-picture.tsx';
import { rotatedArea, rotatedSize, unrotated } from './page-rotation.ts';
import { type InkView, isComing, type PageSource } from './page-source.ts';
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
import { ReadingMenu, readingKey, useReading } from './reading.tsx';
import { Stage, useCamera } from './stage.tsx';
import { useRotation } from './use-rotation.ts';
import classes from './viewer.module.css';
import { ViewerBar } from './viewer-bar.tsx';

/** Loaded when it is first asked for. */
const UndrawableNotice = lazy(async () => ({ default: (await import('./undrawable-notice.tsx')).UndrawableNotice }));
const Densitometer = lazy(async () => ({ default: (await import('./asked-for.ts')).Densitometer }));
const Crosshair = lazy(async () => ({ default: (await import('./asked-for.ts')).Crosshair }));
/** Loaded after the page: they are for files of several pages. */
const TurningLeaf = lazy(async () => ({ default: (await import('./several-pages.ts')).TurningLeaf }));
const Thumbnails = memo(lazy(async () => ({ default: (await import('./several-pages.ts')).Thumbnails })));

interface Props<F extends PlacedFinding> {
  source: PageSource;
  pages: readonly SessionPage[];
  /** The side at which they are bound. */
  binding: PageBinding;
  current: number;
  onOpen: (page: number) => void;
  /** At least those of the pages that are seen. */
  findings: readonly F[];
  /** The worst finding of each page that has any. */
  worst: ReadonlyMap<number, Severity>;
  /** The selected finding and a counter, so that selecting it again scrolls to it again. */
  chosen: { finding: F; times: number } | null;
  onChoose: (finding: F) => void;
  /** What can be shown besides the page; by default all of it. */
  hasBoxes?: boolean;
  hasInks?: boolean;
  /** How far inside the trim the line of safety lies, points; 0 = there is none. */
  safety?: number;
  /** Percent of total ink with which the map of coverage begins. */
  inkLimit?: number;
  notes?: ViewerNotes | undefined;
}

const noNotes: ReadonlyMap<number, number> = new Map();

const isOn = (finding: PlacedFinding, page: number) => finding.page === page || finding.pages?.includes(page) === true;

/** Server-rendered pages with zoom, thumbnails, page boxes, inks and findings. */
export function PageViewer<F extends PlacedFinding>({
  source,
  pages,
  binding,
  current,
  onOpen,
  findings,
  worst,
  chosen,
  onChoose,
  hasBoxes = true,
  hasInks = true,
  safety = 0,
  inkLimit,
  notes,
}: Props<F>) {
  const { t } = useTranslation();
  const page = pages[current - 1] ?? pages[0];
  const { reading, seen, opening } = useOpening(pages, binding, current);
  // The page itself is turned before the row of pages below it.
  const late = useDeferredValue(useMemo(() => ({ current, seen }), [current, seen]));
  const isUndrawable = useCallback((number: number) => pages[number - 1]?.isUndrawable === true, [pages]);
  const { rotation, rotateBy, rotationKeys } = useRotation(
    seen.map((number) => source.thumbnail(number)),
    () => camera.fit(),
  );
  const camera = useCamera(rotatedSize(opening.size, rotation));
  const [boxes, setBoxes] = useState<readonly Outline[]>(hasBoxes ? ['trim'] : []);
  const [chosenInks, setInks] = useState<InkView>({ kind: 'all' });
  const [hasLines, setLines] = useState(true);
  const inks: InkView = chosenInks.kind === 'all' && !hasLines ? { kind: 'all', hasNoLines: true } : chosenInks;
  const [spot, setSpot] = useState<Spot | null>(null);
  const [hasCrosshair, setCrosshair] = useState(false);
  const [tool, chooseTool] = useState<Tool>(null);
  const [line, setLine] = useState<Line | null>(null);
  const setTool = (next: Tool) => {
    chooseTool(next);
    setLine(null);
  };
  const drawing = useNoteTool(opening, camera.view.scale, (on, place) => {
    notes?.onPlace?.(on, place);
    setTool(null);
  });
  const here = findings.filter((finding) => seen.some((number) => isOn(finding, number)));
  const chosenId = chosen?.finding.id ?? null;
  const marked = useMarked(here, chosenId);

  const first = seen[0];
  useEffect(() => setLine(null), [first, reading]);

  useEffect(() => {
    const on = chosen && opening.pages.find((placed) => isOn(chosen.finding, placed.page.page));
    const place = on && placesOf(chosen.finding)[0];
    if (!place || camera.stage.width === 0) return;
    const area = rotatedArea(areaOn(opening, on, toArea(on.page, place)), rotation);
    camera.setView(viewOfArea(area, rotatedSize(opening.size, rotation), camera.stage));
  }, [chosen, first, reading, camera.stage.width > 0]);

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
  const shown = opening.pages.map((placed) => placed.page);
  const pageWords = shown.map((one) => one.label ?? one.page).join('–');
  const turn = { back: turnedTo(reading, current, pages.length, -1), on: turnedTo(reading, current, pages.length, 1) };
  // Where facing pages are bound at the right, the next ones lie to the left.
  const isOnLeft = opening.binding === 'Right';
  const pictures = unrotated(opening.size, camera.view, camera.stage, rotation);
  const under = spot && spotOn(opening, spot);
  const isUnder = under !== null && isOnPage(under.placed, under.spot);
  return (
    <>
      <ViewerBar
        camera={camera}
        current={current}
        count={pages.length}
        label={pageWords}
        turn={turn}
        isOnLeft={isOnLeft}
        onOpen={onOpen}
        onRotate={rotateBy}
        end={
          <>
            {pages.length > 1 && <ReadingMenu />}
            <ToolButtons tool={tool} onTool={setTool} hasNotes={hasNoteTool} />
            <MarksMenu />
            {hasBoxes && (
              <BoxMenu
                page={page}
                safety={safety}
                value={boxes}
                onChange={setBoxes}
                {...(shown.some(({ lines }) => lines !== undefined) && { hasLines, onLines: setLines })}
              />
            )}
            {hasInks && (
              <InkMenu
                source={source}
                pages={shown}
                value={chosenInks}
                onChange={setInks}
                {...(inkLimit && { limit: inkLimit })}
              />
            )}
          </>
        }
        shortcuts={[
          ...(hasBoxes ? [boxesKey] : []),
          ...(pages.length > 1 ? [readingKey] : []),
          ...rotationKeys,
          crosshairKey,
          ...toolKeys(tool, setTool, hasNoteTool),
        ]}
      />
      <div className={classes.stageWrap}>
        <Stage
          camera={camera}
          page={opening.size}
          rotation={rotation}
          isTable
          {...((hasInks || tool === 'loupe') && { onPoint: setSpot })}
          {...drawer}
          onSwipe={(by) => {
            const next = (by === 1) !== isOnLeft ? turn.on : turn.back;
            if (next !== null) onOpen(next);
          }}
          label={t('viewer.stage', {
            page: seen.join('–'),
            errors: t('severity.count.Fail', { count: count(here, 'Fail') }),
            warnings: t('severity.count.Warn', { count: count(here, 'Warn') }),
          })}
        >
          {opening.pages.map((placed) => (
            <PagePicture
              key={placed.page.page}
              source={source}
              placed={placed}
              view={pictures.view}
              stage={pictures.stage}
              inks={inks}
            />
          ))}
          {opening.pages.map((placed) => (
            <PageMarks
              key={placed.page.page}
              placed={placed}
              scale={camera.view.scale}
              {...(placed.page !== page && { onPress: () => onOpen(placed.page.page) })}
            >
              <PageOverlay
                page={placed.page}
                boxes={boxes}
                safety={safety}
                findings={marked.filter((finding) => isOn(finding, placed.page.page))}
                chosen={chosenId}
                onChoose={onChoose}
                scale={camera.view.scale}
              />
              {tool === 'note' && drawing.drawn?.page === placed.page && <DrawnMark {...drawing.drawn} />}
              {notes && <NoteMarks page={placed.page} notes={notes} />}
            </PageMarks>
          ))}
          {opening.spine !== null && shown.length > 1 && (
            <div className={classes.spine} style={{ left: opening.spine * camera.view.scale }} />
          )}
          {line && tool === 'measure' && <MeasuredLine size={opening.size} line={line} />}
          {reading === 'flip' && (
            <Suspense>
              <TurningLeaf
                source={source}
                opening={opening}
                ahead={pagesAhead(reading, current, pages.length)}
                view={pictures.view}
                stage={pictures.stage}
                inks={inks}
              />
            </Suspense>
          )}
          {hasCrosshair && (
            <Suspense>
              <Crosshair
                opening={opening}
                rotation={rotation}
                start={middleOf(opening, page)}
                isTold={!hasInks}
                onPoint={setSpot}
                {...drawer}
                onEnd={() => setCrosshair(false)}
              />
            </Suspense>
          )}
        </Stage>
        {shown.some(({ isUndrawable }) => isUndrawable) && (
          <Suspense>
            <UndrawableNotice />
          </Suspense>
        )}
        {shown.some(isComing) && (
          <div className={classes.waiting} role="status">
            <Loader size={14} color="white" aria-hidden />
            {t('page.notReady')}
          </div>
        )}
        {notes !== undefined && notes.undrawn > 0 && (
          <div className={classes.undrawn} role="status">
            {t('viewer.notesUndrawn', { count: notes.undrawn, shown: formatNumber(notes.undrawn) })}
          </div>
        )}
        <span className="visually-hidden" role="status">
          {rotation !== 0 && t('viewer.rotated', { degrees: rotation })}
        </span>
        {tool === 'measure' && <MeasuredLength size={opening.size} rotation={rotation} line={line} />}
        {tool === 'note' && <NoteToolBar mark={drawing.mark} onMark={drawing.setMark} />}
        {tool === 'loupe' && spot && (
          <Loupe source={source} opening={opening} rotation={rotation} view={camera.view} spot={spot} inks={inks} />
        )}
        {hasInks && under && isUnder && (
          <Suspense>
            <Densitometer
              source={source}
              page={under.placed.page}
              x={under.spot.x}
              y={under.spot.y}
              isSpoken={hasCrosshair}
            />
          </Suspense>
        )}
      </div>
      {pages.length > 1 && (
        <Suspense fallback={<div className={classes.thumbs} />}>
          <Thumbnails
            source={source}
            count={pages.length}
            {...late}
            worst={worst}
            noteCounts={notes?.counts ?? noNotes}
            isUndrawable={isUndrawable}
            onOpen={onOpen}
          />
        </Suspense>
      )}
    </>
  );
}

/** The pages that are seen together as they lie on the table. */
function useOpening(pages: readonly SessionPage[], binding: PageBinding, current: number) {
  const chosen = useReading((state) => state.reading);
  const reading = pages.length > 1 ? chosen : 'single';
  const count = pages.length;
  const seen = useMemo(() => pagesSeen(reading, Math.min(current, count), count), [reading, current, count]);
  const opening = useMemo(() => {
    const shown = seen.flatMap((number) => pages[number - 1] ?? []);
    const [only] = shown;
    if (reading === 'single' && only) return alone(only);
    return facing(shown, { among: reading === 'flip' ? pages : shown, binding });
  }, [pages, binding, reading, seen]);
  return { reading, seen, opening };
}

/** Where the middle of a page lies in the opening. */
function middleOf(opening: Opening, page: SessionPage): Spot {
  const placed = opening.pages.find((one) => one.page === page);
  const { x, y, width, height } = placed
    ? areaOn(opening, placed, { x: 0, y: 0, width: 1, height: 1 })
    : { x: 0, y: 0, width: 1, height: 1 };
  return { x: x + width / 2, y: y + height / 2 };
}

/** What stands on a page, over its picture. */
function PageMarks({
  placed: { page, at },
  scale,
  onPress,
  children,
}: {
  placed: PlacedPage;
  scale: number;
  onPress?: () => void;
  children: ReactNode;
}) {
  return (
    <div
      className={classes.marks}
      style={{
        left: at.x * scale,
        top: at.y * scale,
        inlineSize: page.widthPt * scale,
        blockSize: page.heightPt * scale,
      }}
      onPointerDown={onPress}
    >
      {children}
    </div>
  );
}

const count = (findings: readonly PlacedFinding[], severity: string): number =>
  findings.filter((finding) => finding.severity === severity).length;

function BoxMenu({
  page,
  safety,
  value,
  onChange,
  hasLines = true,
  onLines,
}: {
  page: SessionPage;
  safety: number;
  value: readonly Outline[];
  onChange: (value: readonly Outline[]) => void;
  hasLines?: boolean;
  /** Absent where there are no lines for finishing. */
  onLines?: (hasLines: boolean) => void;
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
      entries={() => [
        onLines !== undefined && { label: t('viewer.lines'), isTicked: hasLines, tick: onLines },
        ...[...boxNames, ...(safety > 0 ? (['safety'] as const) : [])].map((name) => {
          const [x0, y0, x1, y1] = cornersOf(page, name, safety);
          return {
            label: t(`viewer.box.${name}`),
            isTicked: value.includes(name),
            tick: (isTicked: boolean) =>
              onChange(isTicked ? [...value, name] : value.filter((other) => other !== name)),
            end: (
              <span className={classes.legend}>
                {formatPoints((x1 - x0) * page.userUnit, unit)} × {formatPoints((y1 - y0) * page.userUnit, unit)}
              </span>
            ),
          };
        }),
      ]}
    />
  );
}
