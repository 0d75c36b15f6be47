import { warning } from '../../layouts/problems.ts';
import { defineMark, edgeStrip } from '../mark.ts';
import { fillVariables } from '../variables.ts';
import { barcodeSettings } from './contract.ts';

/** A machine-readable job and sheet number. The plan holds its text; the writer draws the bars as vectors. */
export const barcode = defineMark({
  kind: 'Barcode',
  key: 'barcode',
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
    // A code of nothing but its separators says nothing and does not scan.
    const text = fillVariables(settings.text, context.variables).replace(/^-+/, '');
    return text === ''
      ? { shapes: [] }
      : { shapes: [{ type: 'barcode', ...strip, symbology, text, ink: context.ink }] };
  },
});
