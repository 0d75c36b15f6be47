import type { Ink, Shape } from '@pdf2press/contract';

/** No ink on any plate, spot colours included. */
const white: Ink = { all: 0 };

/**
 * Puts a knocked-out area below each shape that extends `halo` points beyond it, so that marks stay legible on printed
 * areas.
 */
export const withHalo = (shapes: Shape[], halo: number): Shape[] =>
  halo <= 0 ? shapes : [...shapes.flatMap((shape) => rimOf(shape, halo)), ...shapes];

/** Approximate mean width and height of Helvetica, in ems. */
const textWidth = 0.56;
const textHeight = 0.9;

function rimOf(shape: Shape, halo: number): Shape[] {
  switch (shape.type) {
    case 'line': {
      const { stroke, ...ends } = shape;
      return [{ ...ends, stroke: { ink: white, width: stroke.width + 2 * halo } }];
    }
    case 'circle':
      return [
        {
          type: 'circle',
          x: shape.x,
          y: shape.y,
          radius: shape.radius + halo + (shape.stroke?.width ?? 0) / 2,
          fill: white,
        },
      ];
    case 'strip':
      return [area(shape.clip.x, shape.clip.y, shape.clip.width, shape.clip.height, halo)];
    case 'rect':
    case 'barcode':
      return [area(shape.x, shape.y, shape.width, shape.height, halo)];
    case 'text': {
      const [length, height] = [shape.text.length * shape.size * textWidth, shape.size * textHeight];
      const down = shape.size * 0.22;
      return {
        0: [area(shape.x, shape.y - down, length, height, halo)],
        90: [area(shape.x - height + down, shape.y, height, length, halo)],
        180: [area(shape.x - length, shape.y - height + down, length, height, halo)],
        270: [area(shape.x - down, shape.y - length, height, length, halo)],
      }[shape.rotation];
    }
    case 'path':
      return shape.stroke
        ? [{ type: 'path', segments: shape.segments, stroke: { ink: white, width: shape.stroke.width + 2 * halo } }]
        : [];
  }
}

const area = (x: number, y: number, width: number, height: number, halo: number): Shape => ({
  type: 'rect',
  x: x - halo,
  y: y - halo,
  width: width + 2 * halo,
  height: height + 2 * halo,
  fill: white,
});
