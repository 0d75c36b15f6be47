import { warning } from '../../sheet/problems.ts';
import { defineMark, edgeStrip } from '../mark.ts';
import { markText } from '../mark-text.ts';
import { barcodeSettings } from './contract.ts';
import { messages } from './messages.ts';

/** A barcode of job, sheet and side. The plan holds its text; `drawBarcodes` turns it into vectors. */
export const barcode = defineMark({
  kind: 'Barcode',
  key: 'barcode',
  messages,
  settings: barcodeSettings,
  isStatic: false,
  draw: (context, settings) => {
    const { edge, align, offset, width, height, symbology } = settings;
    const isAcross = edge === 'Top' || edge === 'Bottom';
    const strip = edgeStrip(context, {
      edge,
      align,
      offset,
      length: isAcross ? width : height,
      thickness: isAcross ? height : width,
    });
    if (!strip) return { shapes: [], problems: [warning('impose.markNoRoom', 'marks.barcode', { count: 1 })] };
    // Variables without a value leave their separators behind; a code of separators alone is not drawn.
    const text = markText(settings.text, context.variables).replace(/^-+/, '');
    return text === ''
      ? { shapes: [] }
      : { shapes: [{ type: 'barcode', ...strip, symbology, text, ink: context.ink }] };
  },
});
