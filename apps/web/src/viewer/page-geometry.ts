import type { SessionPage } from '@pdf2press/contract';

/** x and y from 0 to 1 over the page as it is shown: from its upper left, y down. */
export interface Spot {
  x: number;
  y: number;
}
/** A rectangle on the page as it is shown, in the same shares. */
export interface Area extends Spot {
  width: number;
  height: number;
}
type Box = readonly [number, number, number, number];
type Placed = Pick<SessionPage, 'boxes' | 'rotate'>;

/**
 * From default user space (points, origin lower left, before /Rotate) to the page as shown. Rasters span the CropBox, so
 * that is what 0 to 1 stands for; a MediaBox goes beyond it.
 */
export function toSpot(page: Placed, x: number, y: number): Spot {
  const [x0, y0, x1, y1] = page.boxes.crop;
  const across = (x - x0) / (x1 - x0 || 1);
  const up = (y - y0) / (y1 - y0 || 1);
  switch (page.rotate) {
    case 90:
      return { x: up, y: across };
    case 180:
      return { x: 1 - across, y: up };
    case 270:
      return { x: 1 - up, y: 1 - across };
    default:
      return { x: across, y: 1 - up };
  }
}

/** The way back: points in default user space. */
export function toPoint(page: Placed, spot: Spot): { x: number; y: number } {
  const [x0, y0, x1, y1] = page.boxes.crop;
  const [across, up] = {
    0: [spot.x, 1 - spot.y],
    90: [spot.y, spot.x],
    180: [1 - spot.x, spot.y],
    270: [1 - spot.y, 1 - spot.x],
  }[page.rotate] as [number, number];
  return { x: x0 + across * (x1 - x0), y: y0 + up * (y1 - y0) };
}

/** A box of the page, or of a finding, as it is shown. */
export function toArea(page: Placed, box: Box): Area {
  const a = toSpot(page, box[0], box[1]);
  const b = toSpot(page, box[2], box[3]);
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

/** Where a page lies on the stage: CSS pixels per point, and the page's upper left corner in the stage's pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}

/** 20 to 1600 %, where 100 % is one point to 96/72 CSS pixels: its size on paper. */
export const cssPixelsPerPoint = 96 / 72;
export const zoomLimits = { min: 0.2 * cssPixelsPerPoint, max: 16 * cssPixelsPerPoint } as const;
const clampScale = (scale: number): number => Math.min(zoomLimits.max, Math.max(Math.min(zoomLimits.min, 0.05), scale));

/** Pasteboard around a page that is fitted; a small stage has none to spare. */
const marginOf = ({ width }: Size): number => (width < 260 ? 6 : 24);

/** The whole page in the middle of the stage, with some pasteboard around. */
export function fitView(page: Size, stage: Size, margin = marginOf(stage)): View {
  const scale = clampScale(
    Math.min((stage.width - 2 * margin) / page.width, (stage.height - 2 * margin) / page.height),
  );
  return { scale, x: (stage.width - page.width * scale) / 2, y: (stage.height - page.height * scale) / 2 };
}

/** Zooms by a factor and keeps the point under `at` (stage pixels) where it is. */
export function zoomAt(view: View, factor: number, at: { x: number; y: number }): View {
  const scale = clampScale(view.scale * factor);
  const by = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

/** Brings an area to the middle so that it fills `share` of the stage; a small one is not blown up beyond 400 %. */
export function viewOfArea(area: Area, page: Size, stage: Size, share = 0.4): View {
  const wanted = Math.min(
    (stage.width * share) / Math.max(area.width * page.width, 1),
    (stage.height * share) / Math.max(area.height * page.height, 1),
  );
  const whole = fitView(page, stage).scale;
  const scale = clampScale(Math.max(whole, Math.min(wanted, 4 * cssPixelsPerPoint)));
  return {
    scale,
    x: stage.width / 2 - (area.x + area.width / 2) * page.width * scale,
    y: stage.height / 2 - (area.y + area.height / 2) * page.height * scale,
  };
}

/** Keeps at least a corner of the page on the stage. */
export function keepInSight(view: View, page: Size, stage: Size, least = 48): View {
  const [width, height] = [page.width * view.scale, page.height * view.scale];
  return {
    scale: view.scale,
    x: Math.min(stage.width - least, Math.max(least - width, view.x)),
    y: Math.min(stage.height - least, Math.max(least - height, view.y)),
  };
}

export interface Level extends Size {
  dpi: number;
  tile: number;
}

/** The coarsest level that is as fine as the screen shows it, else the finest there is. */
export function levelFor(levels: readonly Level[], scale: number, pixelRatio: number): Level | null {
  const wanted = scale * 72 * pixelRatio * 0.85;
  const sorted = [...levels].sort((a, b) => a.dpi - b.dpi);
  return sorted.find((level) => level.dpi >= wanted) ?? sorted.at(-1) ?? null;
}

export interface Tile {
  column: number;
  row: number;
  /** Shares of the page. */
  area: Area;
}

/** The tiles of a level that a view of the page shows. */
export function tilesInSight(level: Level, view: View, page: Size, stage: Size): Tile[] {
  const [width, height] = [page.width * view.scale, page.height * view.scale];
  const clamp = (share: number) => Math.min(1, Math.max(0, share));
  const left = clamp(-view.x / width);
  const right = clamp((stage.width - view.x) / width);
  const top = clamp(-view.y / height);
  const bottom = clamp((stage.height - view.y) / height);
  const tiles: Tile[] = [];
  if (right <= left || bottom <= top) return tiles;
  const last = { column: Math.ceil(level.width / level.tile) - 1, row: Math.ceil(level.height / level.tile) - 1 };
  const at = (share: number, size: number) => Math.floor((share * size) / level.tile);
  for (let row = at(top, level.height); row <= Math.min(last.row, at(bottom, level.height)); row += 1) {
    for (let column = at(left, level.width); column <= Math.min(last.column, at(right, level.width)); column += 1) {
      const x = (column * level.tile) / level.width;
      const y = (row * level.tile) / level.height;
      tiles.push({
        column,
        row,
        area: {
          x,
          y,
          width: Math.min(level.tile / level.width, 1 - x),
          height: Math.min(level.tile / level.height, 1 - y),
        },
      });
    }
  }
  return tiles;
}
