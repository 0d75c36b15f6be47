import type { SessionPage } from '@pdf2press/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';
import { plateOf, readInks } from './ink-plates.ts';
import { levelFor, toPoint } from './page-geometry.ts';
import { type PageSource, tileAddress } from './page-source.ts';
import classes from './viewer.module.css';

/** Delay before the inks under the pointer are read, milliseconds. */
const restMilliseconds = 40;

/** Reads the amount of each ink and their sum under the pointer. */
export function Densitometer({
  source,
  page,
  x: across,
  y: down,
  isSpoken,
}: {
  source: PageSource;
  page: SessionPage;
  /** Shares of the page as it is shown. */
  x: number;
  y: number;
  /** The place was chosen by keys, one after the other, and not by a pointer on its way. */
  isSpoken: boolean;
}) {
  const { t } = useTranslation();
  const [unit] = useUnit();
  const [read, setRead] = useState<readonly number[] | null>(null);
  const level =
    levelFor(
      page.levels.filter((one) => one.dpi >= 72),
      1,
      1,
    ) ?? page.levels.at(-1);
  useEffect(() => {
    if (!level || page.inks.length === 0) return setRead(null);
    let isGone = false;
    const [x, y] = [(across * level.width) / level.tile, (down * level.height) / level.tile];
    const tile = { column: Math.floor(x), row: Math.floor(y) };
    const look = async () => {
      const plates = await Promise.all(
        page.inks.map((ink) => plateOf(tileAddress(source, page, `ink-${ink.id}`, level, tile))),
      );
      const [first] = plates;
      if (isGone || !first) return;
      // The last tile of a row or column is smaller than the others.
      setRead(
        readInks(plates, ((x - tile.column) * level.tile) / first.width, ((y - tile.row) * level.tile) / first.height),
      );
    };
    const timer = setTimeout(() => look().catch(() => setRead(null)), restMilliseconds);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [across, down, level, page, source]);
  const point = toPoint(page, { x: across, y: down });
  const percent = (value: number) => `${formatNumber(value, { maximumFractionDigits: 0 })} %`;
  return (
    <div className={classes.meter} {...(isSpoken && { role: 'status' })}>
      <span>
        x {formatPoints(point.x * page.userUnit, unit)}, y {formatPoints(point.y * page.userUnit, unit)}
      </span>
      {read?.map((value, at) => {
        const ink = page.inks[at];
        return (
          ink && (
            <span key={ink.id}>
              <i className={classes.swatch} style={{ background: ink.hex }} />
              {ink.name} <b>{percent(value)}</b>
            </span>
          )
        );
      })}
      {read && (
        <span>
          {t('viewer.total')} <b>{percent(read.reduce((sum, value) => sum + value, 0))}</b>
        </span>
      )}
    </div>
  );
}
