import { area, processingStepsOf } from '@pdf2press/pdf';
import { matchesAny } from '../../reading/names.ts';
import { paintsIn } from '../../reading/scene.ts';
import { createSpotCollector, definedSpots, misspeltInks, type SpotUse } from '../../reading/spots.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type DocumentContext, type FixHint } from '../runner.ts';

type Key = 'SpotColors';
interface Found {
  used: (SpotUse & { share: number })[];
  defined: string[];
}
interface Spot {
  name: string;
  alternates: string[];
  curve: string | null;
  pages: number[];
  /** Largest share of the trim area on one page, percent. */
  share: number;
  first: SpotUse | null;
}

export const spotColorsRunner = checkRunner<Key>()<Found>({
  page({ file, page, area: areas, settings, report }) {
    const collector = createSpotCollector(file);
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph) return;
        collector.add(object, areas.trim);
        const isRegistration = (object.fill?.registration ?? 0) > 0 || (object.stroke?.registration ?? 0) > 0;
        for (const name of misspeltInks(object)) report({ rule: 'likeProcess', object, resourceName: name });
        // Registration colour is right for marks outside the trim, and for what is no print but a processing step.
        if (
          isRegistration &&
          paintsIn(object, areas.trim) &&
          processingStepsOf(file, object.event.layers).length === 0
        ) {
          report({
            rule: 'registrationInArtwork',
            object,
            resourceName: 'All',
            colourOf: object.fill?.registration ? 'fill' : 'stroke',
          });
        }
      },
      end: () => ({
        used: collector
          .uses()
          .map((use) => ({ ...use, share: Math.min(100, (100 * use.area) / Math.max(1, area(areas.trim))) })),
        defined: settings.countOnlyUsed ? [] : definedSpots(file, page.resources),
      }),
    };
  },
  document(context, pages) {
    const spots = gather(pages);
    const inks = spots.filter(({ name }) => !matchesAny(name, context.settings.ignoreNames));
    for (const spot of inks) judge(context, spot);
    const { maxCount, suffixes } = context.settings;
    if (maxCount !== null && inks.length > maxCount) {
      context.report({
        rule: 'tooMany',
        objectType: 'document',
        measured: { value: inks.length, unit: 'count' },
        limit: { value: maxCount, unit: 'count', op: '<=' },
        params: { names: inks.map(({ name }) => name), alternates: inks.map(({ alternates }) => alternates[0] ?? '') },
        fixableBy: toProcess(inks),
      });
    }
    reportTwins(context, inks, suffixes);
    for (const spot of spots) if (spot.alternates.length > 1) reportTwoTints(context, spot);
    return { spots: inks.map(({ name }) => name), technical: spots.length - inks.length };
  },
});

const nothing = { curve: null, share: 0, first: null } satisfies Partial<Spot>;

function gather(pages: readonly { page: number; found: Found | undefined }[]): Spot[] {
  const spots = new Map<string, Spot>();
  for (const { page, found } of pages) {
    for (const use of found?.used ?? []) {
      const spot = spots.get(use.name) ?? { ...nothing, name: use.name, first: use, pages: [], alternates: [] };
      spot.curve ??= use.curve;
      spot.pages.push(page);
      spot.share = Math.max(spot.share, use.share);
      spot.alternates = [...new Set([...spot.alternates, ...use.alternates])];
      spots.set(use.name, spot);
    }
    for (const name of found?.defined ?? []) {
      if (!spots.has(name)) spots.set(name, { ...nothing, name, alternates: [], pages: [] });
    }
  }
  return [...spots.values()];
}

const toProcess = (spots: readonly Spot[]): FixHint => ({
  action: 'MapSpots',
  params: { rules: spots.map(({ name }) => ({ from: name, action: 'ToProcess' })) },
});

const isRefused: Record<SettingsOf<Key>['policy'], (name: string, names: readonly string[]) => boolean> = {
  Allow: () => false,
  Disallow: () => true,
  AllowOnly: (name, names) => !matchesAny(name, names),
  DisallowListed: (name, names) => matchesAny(name, names),
};

function judge({ settings, report }: DocumentContext<Key>, spot: Spot): void {
  if (!isRefused[settings.policy](spot.name, settings.names)) return;
  report({
    rule: 'notAllowed',
    page: spot.pages[0] ?? null,
    resourceName: spot.name,
    ...(spot.first?.box && { box: spot.first.box }),
    params: useOf(spot),
    fixableBy: toProcess([spot]),
  });
}

/** On proofs and on presses without that ink, one name would have two colours. */
function reportTwoTints({ report }: DocumentContext<Key>, spot: Spot): void {
  report({
    rule: 'twoTints',
    page: spot.pages[0] ?? null,
    resourceName: spot.name,
    ...(spot.first?.box && { box: spot.first.box }),
    params: { ...useOf(spot), alternates: spot.alternates.slice(0, 10) },
  });
}

const useOf = ({ alternates, share, pages }: Spot) => ({
  alternate: alternates[0] ?? '',
  share: Math.round(share * 10) / 10,
  onPages: pages.slice(0, 20),
});

/** Reports spot colours that are probably the same ink under different names. */
function reportTwins({ report }: DocumentContext<Key>, spots: readonly Spot[], suffixes: readonly string[]): void {
  const ending = new RegExp(
    `\\s+(?:${suffixes.map((suffix) => suffix.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})$`,
    'iu',
  );
  const plain = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  const twins = (
    rule: 'caseDuplicate' | 'suffixDuplicate' | 'sameTint',
    keyOf: (spot: Spot) => string | null,
    differ: (a: Spot, b: Spot) => boolean,
  ) => {
    const groups = new Map<string, Spot[]>();
    for (const spot of spots) {
      const key = keyOf(spot);
      if (key !== null) groups.set(key, [...(groups.get(key) ?? []), spot]);
    }
    for (const group of groups.values()) {
      const [first] = group;
      const others = group.filter((spot) => first && spot !== first && differ(first, spot));
      if (!first || others.length === 0) continue;
      const names = [first, ...others].map(({ name }) => name);
      report({
        rule,
        page: first.pages[0] ?? null,
        resourceName: first.name,
        ...(first.first?.box && { box: first.first.box }),
        params: { names, ...useOf(first) },
        fixableBy: {
          action: 'MapSpots',
          params: { rules: others.map(({ name }) => ({ from: name, action: 'Rename', to: first.name })) },
        },
      });
    }
  };
  twins(
    'caseDuplicate',
    ({ name }) => plain(name),
    () => true,
  );
  twins(
    'suffixDuplicate',
    ({ name }) => plain(name).replace(ending, ''),
    (a, b) => plain(a.name) !== plain(b.name),
  );
  twins(
    'sameTint',
    ({ curve }) => curve,
    (a, b) => plain(a.name).replace(ending, '') !== plain(b.name).replace(ending, ''),
  );
}
