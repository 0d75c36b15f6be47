import type { Shape } from '@pdf2press/contract';
import { warning } from '../../sheet/problems.ts';
import { defineMark, edgeStrip, type SheetEdge } from '../mark.ts';
import { registrationSettings } from './contract.ts';
import { messages } from './messages.ts';

const edges: SheetEdge[] = ['Top', 'Bottom', 'Left', 'Right'];

/** A crosshair with a circle at each sheet edge. Warns impose.markNoRoom with the number of those left out. */
export const registration = defineMark({
  kind: 'Registration',
  key: 'registration',
  messages,
  settings: registrationSettings,
  isStatic: true,
  draw: (context, { size, offset, width }) => {
    const stroke = { ink: context.ink, width };
    const places = edges.map((edge) =>
      edgeStrip(context, { edge, align: 'Centre', offset, length: size, thickness: size }),
    );
    const shapes = places.flatMap((place): Shape[] => {
      if (!place) return [];
      const [x, y, half] = [place.x + size / 2, place.y + size / 2, size / 2];
      return [
        { type: 'circle', x, y, radius: size / 4, stroke },
        { type: 'line', x1: x - half, y1: y, x2: x + half, y2: y, stroke },
        { type: 'line', x1: x, y1: y - half, x2: x, y2: y + half, stroke },
      ];
    });
    const missing = places.filter((place) => place === null).length;
    return {
      shapes,
      problems: missing > 0 ? [warning('impose.markNoRoom', 'marks.registration', { count: missing })] : [],
    };
  },
});
