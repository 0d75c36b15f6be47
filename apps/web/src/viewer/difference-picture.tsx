import type { SessionPage } from '@pdf2press/contract';
import { useEffect, useRef } from 'react';
import { pictureQuery } from '../client/blob-image.tsx';
import { queries } from '../client/queries.ts';
import classes from './compare.module.css';
import { type Alignment, changedAreas, markDifferences, type Rectangle } from './difference.ts';
import type { Level, Size } from './page-geometry.ts';
import { type PageSource, tileAddress } from './page-source.ts';

export interface Differing {
  changed: number;
  total: number;
  dpi: number;
  /** Where they differ, from the top down: shares of the table's sides. */
  areas: readonly Rectangle[];
}
interface Side {
  source: PageSource;
  page: SessionPage;
}
interface Props {
  table: Alignment;
  before: Side;
  after: Side;
  onFound: (found: Differing | null) => void;
}

/** Maximum number of compared pixels; an A4 page at 150 dpi has 2.2 million. */
const mostPixels = 6_000_000;

/** The finest level that both versions have and that stays below the maximum. */
function commonLevel(table: Alignment, before: SessionPage, after: SessionPage): [Level, Level] | null {
  const pairs = before.levels.flatMap((level): [Level, Level][] => {
    const other = after.levels.find(({ dpi }) => dpi === level.dpi);
    return other ? [[level, other]] : [];
  });
  const pixels = ([{ dpi }]: [Level, Level]) => ((table.size.width * dpi) / 72) * ((table.size.height * dpi) / 72);
  const sorted = pairs.sort(([a], [b]) => b.dpi - a.dpi);
  return sorted.find((pair) => pixels(pair) <= mostPixels) ?? sorted.at(-1) ?? null;
}

/** Both rasters compared pixel by pixel, drawn over the whole table. */
export function DifferencePicture({ table, before, after, onFound }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const key = [before.source.thumbnail(before.page.page), after.source.thumbnail(after.page.page)].join(' ');
  useEffect(() => {
    let isGone = false;
    onFound(null);
    // Nothing of another page stays while this one is compared, which may have to be rendered first.
    if (canvas.current) canvas.current.width = 1;
    const draw = async () => {
      const levels = commonLevel(table, before.page, after.page);
      if (!levels) return;
      const [{ dpi }] = levels;
      const pixels = (points: number) => (points * dpi) / 72;
      const size = { width: Math.ceil(pixels(table.size.width)), height: Math.ceil(pixels(table.size.height)) };
      const corner = (at: { x: number; y: number }) => ({ x: Math.round(pixels(at.x)), y: Math.round(pixels(at.y)) });
      const [one, other] = await Promise.all([
        rasterOf(before, levels[0], size, corner(table.original)),
        rasterOf(after, levels[1], size, corner(table.production)),
      ]);
      const target = canvas.current;
      const context = target?.getContext('2d');
      if (isGone || !target || !context) return;
      target.width = size.width;
      target.height = size.height;
      const picture = context.createImageData(size.width, size.height);
      const changed = markDifferences(size, one.data, other.data, picture.data, !sharesGrid(table, dpi));
      context.putImageData(picture, 0, 0);
      const areas = changedAreas(size, picture.data).map(({ x, y, width, height }) => ({
        x: x / size.width,
        y: y / size.height,
        width: width / size.width,
        height: height / size.height,
      }));
      onFound({ changed, total: size.width * size.height, dpi, areas });
    };
    // Lost connections are reported elsewhere.
    draw().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [key]);
  return <canvas ref={canvas} className={classes.picture} />;
}

/** Whether both pages begin at a whole pixel of the table. */
const sharesGrid = (table: Alignment, dpi: number): boolean =>
  [table.original, table.production]
    .flatMap(({ x, y }) => [x, y])
    .every((points) => Math.abs((points * dpi) / 72 - Math.round((points * dpi) / 72)) < 0.02);

/** The tiles of a page on a white canvas. */
async function rasterOf({ source, page }: Side, level: Level, size: Size, at: { x: number; y: number }) {
  const surface = new OffscreenCanvas(size.width, size.height);
  const context = surface.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size.width, size.height);
  const tiles = [];
  for (let row = 0; row * level.tile < level.height; row += 1)
    for (let column = 0; column * level.tile < level.width; column += 1) tiles.push({ column, row });
  await Promise.all(
    tiles.map(async ({ column, row }) => {
      const address = tileAddress(source, page, 'rgb', level, { column, row });
      const picture = await createImageBitmap(await queries.fetchQuery(pictureQuery(address)));
      context.drawImage(picture, at.x + column * level.tile, at.y + row * level.tile);
      picture.close();
    }),
  );
  return context.getImageData(0, 0, size.width, size.height);
}
