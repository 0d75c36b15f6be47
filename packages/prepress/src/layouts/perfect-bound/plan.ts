import { nestSheets, planBound, schemeFor } from '../bound.ts';
import { defineLayout } from '../layout.ts';
import { padPages } from '../page-list.ts';
import { perfectBoundSettingsSchema } from './contract.ts';

/** Sections side by side: section k holds pages k·n+1…(k+1)·n, folded by the one-section table (spec/impose §4.4). */
export const perfectBound = defineLayout({
  type: 'PerfectBound',
  version: 1,
  settings: perfectBoundSettingsSchema,
  plan: (input, settings) =>
    planBound({
      input,
      settings,
      layout: 'PerfectBound',
      spineGutter: settings.millingDepth,
      arrange: (pages) => {
        const scheme = schemeFor(settings.signatureSize, settings.bindingEdge);
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
              isPerSignature: false,
            }),
          ).flat(),
        };
      },
    }),
});
