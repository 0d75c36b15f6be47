import { create } from 'zustand';
import type { Area, Size, Spot, View } from './page-geometry.ts';

/** How far what is on the table is turned on the screen, clockwise in degrees. The file stays as it is. */
export type Rotation = 0 | 90 | 180 | 270;

/** Turned further, or back. */
export const rotatedFurther = (rotation: Rotation, by: 90 | -90): Rotation => ((rotation + by + 360) % 360) as Rotation;
const backwards = (rotation: Rotation): Rotation => ((360 - rotation) % 360) as Rotation;

/** The sides of the table as they lie on the screen. */
export const rotatedSize = ({ width, height }: Size, rotation: Rotation): Size =>
  rotation % 180 === 0 ? { width, height } : { width: height, height: width };

/** A place on the table, in shares of its sides, as a place on the turned one. */
export function rotatedSpot({ x, y }: Spot, rotation: Rotation): Spot {
  switch (rotation) {
    case 90:
      return { x: 1 - y, y: x };
    case 180:
      return { x: 1 - x, y: 1 - y };
    case 270:
      return { x: y, y: 1 - x };
    default:
      return { x, y };
  }
}
/** The way back: a place on the turned table as a place on the table. */
export const unrotatedSpot = (spot: Spot, rotation: Rotation): Spot => rotatedSpot(spot, backwards(rotation));

/** A part of the table as it lies on the screen. */
export function rotatedArea({ x, y, width, height }: Area, rotation: Rotation): Area {
  const a = rotatedSpot({ x, y }, rotation);
  const b = rotatedSpot({ x: x + width, y: y + height }, rotation);
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), ...rotatedSize({ width, height }, rotation) };
}

/** A way on the screen, across and down, as a way on the table. */
export function unrotatedWay([across, down]: readonly [number, number], rotation: Rotation): readonly [number, number] {
  switch (rotation) {
    case 90:
      return [down, -across];
    case 180:
      return [-across, -down];
    case 270:
      return [-down, across];
    default:
      return [across, down];
  }
}

/**
 * Where the upper left corner of the table lies on the screen once it is turned about it, and by how much.
 * @param view where the turned table lies: its upper left corner as the screen shows it
 */
export function rotatedPlace(
  table: Size,
  view: View,
  rotation: Rotation,
): { inlineSize: number; blockSize: number; transform: string } {
  const { width, height } = rotatedSize(table, rotation);
  const [x, y] = { 0: [0, 0], 90: [width, 0], 180: [width, height], 270: [0, height] }[rotation] as [number, number];
  const moved = `translate(${view.x + x * view.scale}px, ${view.y + y * view.scale}px)`;
  return {
    inlineSize: table.width * view.scale,
    blockSize: table.height * view.scale,
    transform: rotation === 0 ? moved : `${moved} rotate(${rotation}deg)`,
  };
}

/** Stage and view as the table would have them if both were turned back, so that what is in sight stays in sight. */
export function unrotated(table: Size, view: View, stage: Size, rotation: Rotation): { view: View; stage: Size } {
  const { width, height } = rotatedSize(table, rotation);
  const right = stage.width - view.x - width * view.scale;
  const below = stage.height - view.y - height * view.scale;
  const [x, y] = { 0: [view.x, view.y], 90: [view.y, right], 180: [right, below], 270: [below, view.x] }[rotation] as [
    number,
    number,
  ];
  return { view: { scale: view.scale, x, y }, stage: rotatedSize(stage, rotation) };
}

/** The pages that were turned, by the addresses of their thumbnails; remembered until the page of the browser is left. */
export const useRotations = create<Readonly<Record<string, Rotation>>>(() => ({}));
/** Remembers how pages that are seen together are turned. */
export const keepRotation = (pages: readonly string[], rotation: Rotation): void =>
  useRotations.setState(Object.fromEntries(pages.map((page) => [page, rotation])));
