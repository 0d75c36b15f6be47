import type { Plan, Rect, Shape } from '@pdf2press/contract';

type Barcode = Extract<Shape, { type: 'barcode' }>;

/** Replaces each barcode of a plan by a path of rectangles. */
export async function drawBarcodes(plan: Plan): Promise<Plan> {
  const hasCodes = plan.sheets.some((sheet) =>
    [sheet.front, sheet.back].some((side) => side?.marks.some((mark) => mark.mark === 'Barcode')),
  );
  if (!hasCodes) return plan;
  // The library is about 1 MB, so it is loaded only for jobs with barcodes.
  const { default: symbologies } = await import('bwip-js');
  const encode = (code: Barcode) => symbologies.raw({ bcid: code.symbology, text: code.text }) as RawSymbol[];
  const draw = <S extends Plan['sheets'][number]['front'] | null>(side: S): S =>
    side && {
      ...side,
      marks: side.marks.map((mark) =>
        mark.shapes.some((shape) => shape.type === 'barcode')
          ? {
              ...mark,
              shapes: mark.shapes.map((shape) =>
                shape.type === 'barcode' ? barcodePath(shape, encode(shape)) : shape,
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

/** Result of bwip-js `raw`: a matrix of dots (`pixs`), or alternating widths of bars and spaces (`sbs`). */
interface RawSymbol {
  pixs?: number[];
  pixx?: number;
  pixy?: number;
  sbs?: number[];
}

function barcodePath(code: Barcode, [symbol]: readonly RawSymbol[]): Shape {
  const bars = symbol?.pixs ? dots(symbol, code) : strokes(symbol?.sbs ?? [], code);
  return {
    type: 'path',
    segments: bars.flatMap(({ x, y, width, height }): [letter: 'M' | 'L' | 'Z', numbers: number[]][] => [
      ['M', [x, y]],
      ['L', [x + width, y]],
      ['L', [x + width, y + height]],
      ['L', [x, y + height]],
      ['Z', []],
    ]),
    fill: code.ink,
  };
}

/** The dots of a matrix code; adjacent dots of a row are one rectangle, so that no hairline appears between them. */
function dots({ pixs = [], pixx = 1, pixy = 1 }: RawSymbol, code: Barcode): Rect[] {
  const size = Math.min(code.width / pixx, code.height / pixy);
  const rects: Rect[] = [];
  for (let row = 0; row < pixy; row++) {
    for (let column = 0; column < pixx; column++) {
      if (!pixs[row * pixx + column]) continue;
      const start = column;
      while (column + 1 < pixx && pixs[row * pixx + column + 1]) column++;
      rects.push({
        x: code.x + start * size,
        y: code.y + (pixy - 1 - row) * size,
        width: (column + 1 - start) * size,
        height: size,
      });
    }
  }
  return rects;
}

function strokes(widths: readonly number[], code: Barcode): Rect[] {
  const unit =
    code.width /
    Math.max(
      1,
      widths.reduce((a, b) => a + b, 0),
    );
  let x = code.x;
  return widths.flatMap((width, index) => {
    const rect = { x, y: code.y, width: width * unit, height: code.height };
    x += width * unit;
    return index % 2 === 0 ? [rect] : [];
  });
}
