import { nestSheets, planBound, schemeFor } from '../bound.ts';
import { defineLayout } from '../layout.ts';
import { padPages } from '../page-list.ts';
import { perfectBoundSettingsSchema } from './contract.ts';
import { messages } from './messages.ts';

/** Sections gathered one after the other: section k (from 0) of n pages holds pages k·n+1 to (k+1)·n. */
export const perfectBound = defineLayout({
  type: 'PerfectBound',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: perfectBoundSettingsSchema,
  plan: (input, settings) =>
    planBound({
      input,
      settings,
      layout: 'PerfectBound',
      spineGutter: settings.millingDepth,
      arrange: (pages) => {
        const scheme = schemeFor(settings.signatureSize, settings);
        const sectionPages = settings.signatureSize * settings.sheetsPerSection;
        const sections = Math.ceil(pages.length / sectionPages);
        return {
          pages: padPages(pages, sections * sectionPages, settings.padding),
          sheets: Array.from({ length: sections }, (_, section) =>
            nestSheets({
              scheme,
              sheetPages: settings.signatureSize,
              sectionPages,
              base: section * sectionPages,
              section: section + 1,
              isPerSignature: settings.creep.scope === 'PerSignature',
            }),
          ).flat(),
        };
      },
    }),
});
