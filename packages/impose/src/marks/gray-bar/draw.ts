import { drawBar } from '../bar.ts';
import { defineMark } from '../mark.ts';
import { grayBarSettings } from './contract.ts';
import { messages } from './messages.ts';

/** A step wedge of black from 0 to 100 %. */
export const grayBar = defineMark({
  kind: 'GrayBar',
  key: 'grayBar',
  messages,
  settings: grayBarSettings,
  isStatic: true,
  draw: (context, settings) =>
    drawBar(
      context,
      settings,
      Array.from({ length: settings.steps }, (_, step) => ({
        cmyk: [0, 0, 0, step / (settings.steps - 1)] as const,
      })).map(({ cmyk }) => ({ cmyk: [...cmyk] as [number, number, number, number] })),
      { field: 'marks.grayBar', fill: false },
    ),
});
