import { arrayOf, dictOf, readOptionalContent } from '@pdf2press/pdf';
import { checkRunner, type FixHint } from '../runner.ts';

type Key = 'Layers';

export const layersRunner = checkRunner<Key>()<string[]>({
  page() {
    const used = new Set<string>();
    return {
      object(object) {
        for (const name of object.event.layers.names) used.add(name);
      },
      end: () => [...used],
    };
  },
  document({ file, settings, report }, pages) {
    const { groups } = readOptionalContent(file);
    const names = groups.map(({ name }) => name);
    const flatten: FixHint = { action: 'FlattenLayers', params: {} };
    if (settings.policy === 'Disallow' && groups.length > 0) {
      report({ rule: 'notAllowed', objectType: 'document', params: { names }, fixableBy: flatten });
    }
    const properties = dictOf(file, file.catalog, 'OCProperties');
    if (arrayOf(file, properties, 'Configs').length > 0) report({ rule: 'configs', objectType: 'document' });
    const used = new Set(pages.flatMap(({ found }) => found ?? []));
    for (const layer of groups) {
      const about = {
        objectType: 'document' as const,
        objectRef: `${layer.object} 0 R`,
        resourceName: layer.name,
        fixableBy: flatten,
      };
      // Whoever opens the file may switch on what is off, whether this page uses it or not (GWG 2022 R0036).
      if (!layer.isVisible) report({ ...about, rule: 'hidden' });
      if (used.has(layer.name) && layer.isVisible !== layer.isPrinted)
        report({ ...about, rule: 'viewNotPrint', params: { isPrinted: layer.isPrinted }, fixableBy: null });
    }
    return { layers: names, hidden: groups.filter(({ isVisible }) => !isVisible).length };
  },
});
