import { Button, Loader, Menu } from '@mantine/core';
import type { SessionFinding, SessionPage, Severity } from '@pdf2press/contract';
import { IconChevronDown, IconFrame } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BlobImage } from '../client/blob-image.tsx';
import { formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';
import { Densitometer } from './densitometer.tsx';
import { InkMenu } from './ink-menu.tsx';
import { type Spot, toArea, viewOfArea } from './page-geometry.ts';
import { type BoxName, boxNames, PageOverlay, placesOf } from './page-overlay.tsx';
import { type InkView, type PageSource, thumbnailAddress } from './page-source.ts';
import { PageTiles } from './page-tiles.tsx';
import { Stage, useCamera } from './stage.tsx';
import { Thumbnails } from './thumbnails.tsx';
import classes from './viewer.module.css';
import { ViewerBar } from './viewer-bar.tsx';

interface Props {
  source: PageSource;
  pages: readonly SessionPage[];
  current: number;
  onOpen: (page: number) => void;
  /** At least those of the current page. */
  findings: readonly SessionFinding[];
  /** The worst finding of each page that has any. */
  worst: ReadonlyMap<number, Severity>;
  /** The selected finding and a counter, so that selecting it again scrolls to it again. */
  chosen: { finding: SessionFinding; times: number } | null;
  onChoose: (finding: SessionFinding) => void;
}

const isOn = (finding: SessionFinding, page: number) => finding.page === page || finding.pages?.includes(page) === true;

/** Server-rendered pages with zoom, thumbnails, page boxes, inks and findings. */
export function PageViewer({ source, pages, current, onOpen, findings, worst, chosen, onChoose }: Props) {
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

  if (!page) return null;
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
            <BoxMenu page={page} value={boxes} onChange={setBoxes} />
            <InkMenu page={page} value={inks} onChange={setInks} />
          </>
        }
        shortcuts={[{ keys: 'b', label: 'keys.boxes', run: () => setBoxes(boxes.length > 0 ? [] : ['trim', 'bleed']) }]}
      />
      <div className={classes.stageWrap}>
        <Stage
          camera={camera}
          page={size}
          onPoint={setSpot}
          label={t('viewer.stage', {
            page: current,
            errors: t('severity.count.Fail', { count: count(here, 'Fail') }),
            warnings: t('severity.count.Warn', { count: count(here, 'Warn') }),
          })}
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
      <Thumbnails source={source} count={pages.length} current={current} worst={worst} onOpen={onOpen} />
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
