import type { Rect, Shape } from '@pdf2press/contract';
import type { z } from 'zod';
import { warning } from '../../sheet/problems.ts';
import { edgeStrip, type MarkContext } from '../mark.ts';
import type { colorBarSettings } from './contract.ts';

type Settings = z.output<typeof colorBarSettings>;

/**
 * A colour bar from a PDF, unscaled: once, or with `fill` tiled from the start, the middle or the end of the edge, the
 * last tile clipped. Where the full edge is not free, as many whole tiles as fit. Warns impose.markNoRoom.
 */
export function drawStrip(context: MarkContext, settings: Settings) {
  const { edge, align, offset, fill } = settings;
  const isAcross = edge === 'Top' || edge === 'Bottom';
  const room = isAcross ? context.usable.width : context.usable.height;
  const tile = context.strip ?? { width: room, height: settings.patch };
  const whole = Math.max(1, Math.floor(room / tile.width));
  const lengths = fill ? [room, ...Array.from({ length: whole }, (_, at) => (whole - at) * tile.width)] : [tile.width];
  for (const length of lengths) {
    const clip = edgeStrip(context, { edge, align, offset, length: Math.min(length, room), thickness: tile.height });
    if (clip) return { shapes: tiles(clip, tile, align, isAcross) };
  }
  return { shapes: [], problems: [warning('impose.markNoRoom', 'marks.colorBar', { count: 1 })] };
}

/** Tiles that cover `clip`; along the left and right edge they run upwards, turned by 90°. */
function tiles(
  clip: Rect,
  { width, height }: { width: number; height: number },
  align: Settings['align'],
  isAcross: boolean,
): Shape[] {
  const length = isAcross ? clip.width : clip.height;
  // Rounding errors must not add a tile.
  const tilesIn = (room: number) => Math.max(0, Math.ceil(room / width - 1e-6));
  const count = Math.max(1, tilesIn(length));
  const beside = tilesIn((length - width) / 2);
  const { from, number } = {
    Start: { from: 0, number: count },
    Centre: { from: (length - width) / 2 - beside * width, number: 2 * beside + 1 },
    End: { from: length - count * width, number: count },
  }[align];
  return Array.from({ length: number }, (_, at): Shape => {
    const along = from + at * width;
    return isAcross
      ? { type: 'strip', x: clip.x + along, y: clip.y, width, height, rotation: 0, clip }
      : { type: 'strip', x: clip.x, y: clip.y + along, width: height, height: width, rotation: 90, clip };
  });
}
