import { deviceSpaces } from './color-spaces.ts';
import { identity, scales } from './matrix.ts';
import type { Clip, GraphicsState, Matrix, Paint, Rect, TextState } from './types.ts';

const black: Paint = { space: deviceSpaces.DeviceGray, values: [0], pattern: null };

const initialText: TextState = {
  font: null,
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scaling: 1,
  leading: 0,
  rise: 0,
  mode: 0,
  knockout: true,
};

/** The initial graphics state of a page (ISO 32000-1, tables 52 and 53), clipped to the MediaBox. */
export function initialState(clipBox: Rect): GraphicsState {
  const clip: Clip = { bbox: clipBox, isEmpty: false, isRect: true };
  return {
    ctm: identity,
    clip,
    fill: black,
    stroke: black,
    strokeOverprint: false,
    fillOverprint: false,
    overprintMode: 0,
    blendMode: 'Normal',
    fillAlpha: 1,
    strokeAlpha: 1,
    alphaIsShape: false,
    softMask: null,
    lineWidth: 1,
    lineCap: 0,
    lineJoin: 0,
    miterLimit: 10,
    dash: [],
    dashPhase: 0,
    flatness: 1,
    strokeAdjust: false,
    renderingIntent: 'RelativeColorimetric',
    text: initialText,
    device: null,
  };
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Width of a stroked line on the page in points, in its thinnest direction. 0 means the thinnest line of the device.
 */
export function lineWidthUnder(ctm: Matrix, width: number): number {
  const [a, b, c, d] = ctm;
  // Without skew and with equal scaling, the most frequent case, the singular values are not needed.
  if (b === 0 && c === 0 && Math.abs(a) === Math.abs(d)) return Math.abs(width * a);
  return Math.abs(width) * scales(ctm).min;
}
