import type { Plan, Shape } from '@pdf2press/contract';
import { type BarcodeSymbol, loadBarcodes } from '@pdf2press/pdf/place';

type Barcode = Extract<Shape, { type: 'barcode' }>;

/** Replaces each barcode of a plan by a path of rectangles. */
export async function drawBarcodes(plan: Plan): Promise<Plan> {
  const hasCodes = plan.sheets.some((sheet) =>
    [sheet.front, sheet.back].some((side) => side?.marks.some((mark) => mark.mark === 'Barcode')),
  );
  if (!hasCodes) return plan;
  const encode = await loadBarcodes();
  const draw = <S extends Plan['sheets'][number]['front'] | null>(side: S): S =>
    side && {
      ...side,
      marks: side.marks.map((mark) =>
        mark.shapes.some((shape) => shape.type === 'barcode')
          ? {
              ...mark,
              shapes: mark.shapes.map((shape) =>
                shape.type === 'barcode' ? barcodePath(shape, encode(shape.symbology, shape.text)) : shape,
              ),
            }
          : mark,
      ),
    };
  return {
    ...plan,
    sheets: plan.sheets.map((sheet) => ({ ...sheet, front: draw(sheet.front), back: draw(sheet.back) })),
  };
}

/** A linear symbol fills its place, a matrix is as large as fits and stands in its lower left corner. */
function barcodePath(code: Barcode, { width: columns, rows, bars }: BarcodeSymbol): Shape {
  const across = rows === null ? code.width / columns : Math.min(code.width / columns, code.height / rows);
  const up = rows === null ? code.height : across;
  return {
    type: 'path',
    segments: bars.flatMap((bar): [letter: 'M' | 'L' | 'Z', numbers: number[]][] => {
      const [x, y, width, height] = [bar.x * across, bar.y * up, bar.width * across, bar.height * up];
      return [
        ['M', [code.x + x, code.y + y]],
        ['L', [code.x + x + width, code.y + y]],
        ['L', [code.x + x + width, code.y + y + height]],
        ['L', [code.x + x, code.y + y + height]],
        ['Z', []],
      ];
    }),
    fill: code.ink,
  };
}
