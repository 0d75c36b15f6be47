import { ActionIcon, Button, Loader, Menu, Tooltip } from '@mantine/core';
import type { SessionFinding, SessionPage } from '@pdf2press/contract';
import {
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconFrame,
  IconZoomIn,
  IconZoomOut,
  IconZoomScan,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BlobImage } from '../client/blob-image.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { formatPercent, formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';
import { Densitometer } from './densitometer.tsx';
import { InkMenu } from './ink-menu.tsx';
import { cssPixelsPerPoint, type Spot, toArea, viewOfArea } from './page-geometry.ts';
import { type BoxName, boxNames, PageOverlay, placesOf } from './page-overlay.tsx';
import { type InkView, type PageSource, thumbnailAddress } from './page-source.ts';
import { PageTiles } from './page-tiles.tsx';
import { Stage, useCamera } from './stage.tsx';
import { Thumbnails } from './thumbnails.tsx';
import classes from './viewer.module.css';

interface Props {
  source: PageSource;
  pages: readonly SessionPage[];
  current: number;
  onOpen: (page: number) => void;
  findings: readonly SessionFinding[];
  /** The finding that is looked at, and how often it was asked for: asking again goes there again. */
  chosen: { finding: SessionFinding; times: number } | null;
  onChoose: (finding: SessionFinding) => void;
}

const zoomStep = 1.25;
const isOn = (finding: SessionFinding, page: number) => finding.page === page || finding.pages?.includes(page) === true;

/** Pages as the server drew them, with zoom, thumbnails, boxes, inks and the places of findings. */
export function PageViewer({ source, pages, current, onOpen, findings, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const page = pages[current - 1] ?? pages[0];
  const size = { width: page?.widthPt ?? 1, height: page?.heightPt ?? 1 };
  const camera = useCamera(size);
  const [boxes, setBoxes] = useState<readonly BoxName[]>(['trim']);
  const [inks, setInks] = useState<InkView>({ kind: 'all' });
  const [spot, setSpot] = useState<Spot | null>(null);
  const here = findings.filter((finding) => isOn(finding, current));

  useEffect(() => {
    const place = chosen && isOn(chosen.finding, current) ? placesOf(chosen.finding)[0] : undefined;
    if (page && place && camera.stage.width > 0) camera.setView(viewOfArea(toArea(page, place), size, camera.stage));
  }, [chosen, current, page?.page, camera.stage.width > 0]);

  const turn = (by: number) => onOpen(Math.max(1, Math.min(pages.length, current + by)));
  useShortcuts('keys.viewer', [
    { keys: 'ArrowLeft', label: 'keys.pageBack', run: () => turn(-1) },
    { keys: 'ArrowRight', label: 'keys.pageOn', run: () => turn(1) },
    { keys: '+', label: 'keys.zoomIn', run: () => camera.zoomBy(zoomStep) },
    { keys: '-', label: 'keys.zoomOut', run: () => camera.zoomBy(1 / zoomStep) },
    { keys: '0', label: 'keys.fit', run: camera.fit },
    { keys: 'b', label: 'keys.boxes', run: () => setBoxes(boxes.length > 0 ? [] : ['trim', 'bleed']) },
  ]);
  if (!page) return null;
  const button = (label: string, icon: React.ReactNode, act: () => void, isDisabled = false) => (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="neutral" aria-label={label} onClick={act} disabled={isDisabled}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <>
      <div className={classes.bar}>
        <div className={classes.pages}>
          {button(t('keys.pageBack'), <IconChevronLeft size={18} />, () => turn(-1), current <= 1)}
          <span aria-live="polite">{t('viewer.pageOf', { page: page.label ?? current, count: pages.length })}</span>
          {button(t('keys.pageOn'), <IconChevronRight size={18} />, () => turn(1), current >= pages.length)}
        </div>
        <div className={classes.barEnd}>
          {button(t('keys.zoomOut'), <IconZoomOut size={18} />, () => camera.zoomBy(1 / zoomStep))}
          <span className={classes.zoom}>{formatPercent(camera.view.scale / cssPixelsPerPoint)}</span>
          {button(t('keys.zoomIn'), <IconZoomIn size={18} />, () => camera.zoomBy(zoomStep))}
          {button(t('keys.fit'), <IconZoomScan size={18} />, camera.fit)}
          <BoxMenu page={page} value={boxes} onChange={setBoxes} />
          <InkMenu page={page} value={inks} onChange={setInks} />
        </div>
      </div>
      <div className={classes.stageWrap}>
        <Stage
          camera={camera}
          page={size}
          onPoint={setSpot}
          label={t('viewer.stage', { page: current, fails: count(here, 'Fail'), warnings: count(here, 'Warn') })}
        >
          <BlobImage address={thumbnailAddress(source, page.page)} className={classes.ground} draggable={false} />
          <PageTiles source={source} page={page} view={camera.view} stage={camera.stage} inks={inks} />
          <PageOverlay
            page={page}
            boxes={boxes}
            findings={here}
            chosen={chosen?.finding.id ?? null}
            onChoose={onChoose}
          />
        </Stage>
        {!page.isReady && (
          <div className={classes.waiting} role="status">
            <Loader size={14} color="white" aria-hidden />
            {t('page.notReady')}
          </div>
        )}
        <Densitometer source={source} page={page} spot={spot} />
      </div>
      <Thumbnails source={source} count={pages.length} current={current} findings={findings} onOpen={onOpen} />
    </>
  );
}

const count = (findings: readonly SessionFinding[], severity: string): number =>
  findings.filter((finding) => finding.severity === severity).reduce((sum, finding) => sum + finding.count, 0);

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
    <Menu>
      <Menu.Target>
        <Button
          variant={value.length > 0 ? 'light' : 'default'}
          size="xs"
          leftSection={<IconFrame size={15} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
        >
          {t('viewer.boxes')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {boxNames.map((name) => {
          const [x0, y0, x1, y1] = page.boxes[name];
          const isOnNow = value.includes(name);
          return (
            <Menu.CheckboxItem
              key={name}
              checked={isOnNow}
              onChange={() => onChange(isOnNow ? value.filter((other) => other !== name) : [...value, name])}
              rightSection={
                <span className={classes.legend}>
                  {formatPoints((x1 - x0) * page.userUnit, unit)} × {formatPoints((y1 - y0) * page.userUnit, unit)}
                </span>
              }
            >
              {t(`viewer.box.${name}`)}
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
