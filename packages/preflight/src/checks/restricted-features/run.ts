import { isArray, isDict } from '@pdf2press/pdf';
import { featuresOf, type RestrictedFeature, usesLzw } from '../../reading/restricted.ts';
import { checkRunner } from '../runner.ts';

export const restrictedFeaturesRunner = checkRunner<'RestrictedFeatures'>()<RestrictedFeature[]>({
  page({ file, page, report }) {
    const found = new Set<RestrictedFeature>();
    return {
      object(object) {
        for (const rule of featuresOf(file, object)) {
          found.add(rule);
          report({ rule, object, ...(object.type === 'image' && { resourceName: object.event.name }) });
        }
      },
      end() {
        const contents = file.entry(page.dict, 'Contents');
        const streams = isArray(contents) ? contents.map((value) => file.resolve(value)) : [contents];
        if (streams.some((stream) => isDict(stream) && usesLzw(file, stream))) {
          found.add('lzw');
          report({ rule: 'lzw', objectType: 'page', acrossPages: true });
        }
        return [...found];
      },
    };
  },
  document: (_, pages) => ({ features: [...new Set(pages.flatMap(({ found }) => found ?? []))].sort() }),
});
