import { eachPlaced } from '../count-pages.ts';
import { planGrid, sheetQuantity } from '../grid-plan.ts';
import { defineLayout } from '../layout.ts';
import { padPages } from '../page-list.ts';
import { sequence } from '../sequence.ts';
import { cutAndStackSettingsSchema } from './contract.ts';
import { messages } from './messages.ts';

/** Pages are in order after the printed pile is cut and the stacks are put on top of each other in cell order. */
export const cutAndStack = defineLayout({
  type: 'CutAndStack',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: cutAndStackSettingsSchema,
  plan: (input, settings) =>
    planGrid(input, settings, {
      layout: 'CutAndStack',
      isPile: true,
      isDuplexByItself: () => false,
      pieces: (pages, isDuplex) => Math.ceil(pages.length / (isDuplex ? 2 : 1)),
      wanted: eachPlaced(settings),
      deal: (pages, { rowLengths, cells }, isDuplex) => {
        const sides = isDuplex ? 2 : 1;
        const sheets = sequence({
          leaves: Math.ceil(pages.length / sides),
          rowLengths,
          order: settings.stackOrder,
          startCorner: settings.startCorner,
          stackDepth: settings.stackDepth,
          balance: settings.balance,
        });
        const padded = settings.balance ? pages : padPages(pages, sheets.length * cells * sides, settings.padding);
        const quantity = sheetQuantity(settings.copies, settings.oversPercent, 1);
        return sheets.map((dealt) => ({
          quantity,
          leaves: dealt.map((leaf) => ({
            front: (leaf < 0 ? 0 : padded[leaf * sides]) ?? 0,
            back: (leaf < 0 || !isDuplex ? 0 : padded[leaf * sides + 1]) ?? 0,
          })),
        }));
      },
    }),
});
