import type { Shape } from '@pdf2press/contract';
import { defineMark } from '../mark.ts';
import { technical } from '../technical-ink.ts';
import { dieLineSettings } from './contract.ts';
import { messages } from './messages.ts';

/** The die at each station, on its own layer with the processing step Structural/Cutting (ISO 19593-1). */
export const dieLine = defineMark({
  kind: 'DieLine',
  key: 'dieLine',
  messages,
  settings: dieLineSettings,
  isStatic: true,
  draw: ({ dies, side }, { name, width }) => ({
    shapes:
      side === 'Back'
        ? []
        : dies.map(
            (outline): Shape => ({
              type: 'path',
              segments: outline.map(([letter, numbers]) => [letter, [...numbers]]),
              stroke: { ink: technical(name), width },
            }),
          ),
    processingStep: { group: 'Structural', type: 'Cutting' },
  }),
});
