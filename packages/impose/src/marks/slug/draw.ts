import { warning } from '../../sheet/problems.ts';
import { defineMark, edgeStrip } from '../mark.ts';
import { markText } from '../mark-text.ts';
import { slugSettings } from './contract.ts';
import { messages } from './messages.ts';

/** Approximate mean character width of Helvetica in ems, to reserve room for the text. */
const meanWidth = 0.56;

/** A line of text along an edge that identifies job, sheet and side. Text beyond the length of the edge is cut off. */
export const slug = defineMark({
  kind: 'Slug',
  key: 'slug',
  messages,
  main: 'text',
  settings: slugSettings,
  isStatic: false,
  draw: (context, settings) => {
    const { size, edge, align, offset } = settings;
    const isAcross = edge === 'Top' || edge === 'Bottom';
    const room = isAcross ? context.usable.width : context.usable.height;
    const full = markText(settings.text, context.variables);
    const text = full.slice(0, Math.max(0, Math.floor(room / (size * meanWidth))));
    if (text === '') return { shapes: [] };
    const strip = edgeStrip(context, { edge, align, offset, length: text.length * size * meanWidth, thickness: size });
    if (!strip) return { shapes: [], problems: [warning('impose.markNoRoom', 'marks.slug', { count: 1 })] };
    const place = isAcross
      ? { x: strip.x, y: strip.y + size * 0.22, rotation: 0 as const }
      : { x: strip.x + size * 0.78, y: strip.y, rotation: 90 as const };
    return { shapes: [{ type: 'text', ...place, size, text, ink: context.ink }] };
  },
});
