import { checkRunner, type FixHint } from '../runner.ts';

const mapping = (spots: readonly string[]): FixHint | null =>
  spots.length > 0
    ? { action: 'MapSpots', params: { rules: spots.map((from) => ({ from, action: 'ToProcess' })) } }
    : null;

export const platesRunner = checkRunner<'Plates'>()<undefined, string[]>({
  plates: {
    dpi: ({ dpi }) => dpi,
    look({ plates, settings, report }) {
      const { inked } = plates.statistics();
      const names = plates.inks.filter((_, i) => (inked[i] ?? 0) * 100 > settings.ignoreBelow).map(({ name }) => name);
      const { maxPerPage } = settings;
      if (maxPerPage !== null && names.length > maxPerPage) {
        report({
          rule: 'tooManyOnPage',
          objectType: 'page',
          measured: { value: names.length, unit: 'count' },
          limit: { value: maxPerPage, unit: 'count', op: '<=' },
          params: { names },
          fixableBy: mapping(plates.inks.filter(({ kind }) => kind === 'spot').map(({ name }) => name)),
        });
      }
      if (names.some((name) => name !== 'Black')) report({ rule: 'colourPage', objectType: 'page', acrossPages: true });
      return names;
    },
  },
  document({ settings, report }, pages) {
    const names = [...new Set(pages.flatMap(({ plates }) => plates ?? []))];
    const limit = settings.maxInDocument;
    if (limit !== null && names.length > limit) {
      report({
        rule: 'tooManyInDocument',
        objectType: 'document',
        measured: { value: names.length, unit: 'count' },
        limit: { value: limit, unit: 'count', op: '<=' },
        params: { names },
      });
    }
    const colourPages = pages.filter(({ plates }) => plates?.some((name) => name !== 'Black')).length;
    const blackPages = pages.filter(({ plates }) => plates?.length === 1 && plates[0] === 'Black').length;
    return {
      plates: names,
      colourPages,
      blackPages,
      emptyPages: pages.filter(({ plates }) => plates?.length === 0).length,
    };
  },
});
