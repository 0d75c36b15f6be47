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

/** The state a page begins with (ISO 32000-1, 8.4.1), clipped to its MediaBox. */
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

/** Width of a stroked line on the page in points, across its thinnest direction. 0 is the device's thinnest line. */
export function effectiveLineWidth(state: GraphicsState): number {
  return lineWidthUnder(state.ctm, state.lineWidth);
}

export function lineWidthUnder(ctm: Matrix, width: number): number {
  const [a, b, c, d] = ctm;
  // Turned and scaled evenly, as nearly all pages are: no need for singular values.
  if (b === 0 && c === 0 && Math.abs(a) === Math.abs(d)) return Math.abs(width * a);
  return Math.abs(width) * scales(ctm).min;
}
