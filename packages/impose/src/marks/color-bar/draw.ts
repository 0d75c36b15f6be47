import { drawBar } from '../bar.ts';
import { defineMark } from '../mark.ts';
import { colorBarSettings } from './contract.ts';
import { messages } from './messages.ts';
import { drawStrip } from './strip.ts';

type Cmyk = [number, number, number, number];

/** Solids, two- and three-colour overprints, 50 % tints and a CMY grey balance patch, for a densitometer. */
const patches: readonly Cmyk[] = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [1, 1, 0, 0],
  [1, 0, 1, 0],
  [0, 1, 1, 0],
  [1, 1, 1, 0],
  [0.5, 0, 0, 0],
  [0, 0.5, 0, 0],
  [0, 0, 0.5, 0],
  [0, 0, 0, 0.5],
  [0.5, 0.4, 0.4, 0],
];

export const colorBar = defineMark({
  kind: 'ColorBar',
  key: 'colorBar',
  messages,
  settings: colorBarSettings,
  isStatic: true,
  draw: (context, settings) =>
    settings.strip
      ? drawStrip(context, settings)
      : drawBar(
          context,
          settings,
          patches.map((cmyk) => ({ cmyk })),
          { field: 'marks.colorBar', fill: settings.fill },
        ),
});
