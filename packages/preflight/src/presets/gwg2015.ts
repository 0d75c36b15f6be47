/**
 * The variants of GWG 2015 (Ghent Workgroup, 17 November 2015, heatset and coldset printing) as profiles. GWG 2022 came
 * out of it and kept most of its limits, so that only the differences are told here. Its rules have the numbers of
 * sections instead of their own. The other families of 2015, digital and packaging, are not among them.
 */
import { checksOf, slug } from './gwg2022.ts';
import { type GwgVariant, gwg2022Variants, type Level } from './gwg2022-limits.ts';
import { definePreset, type Preset } from './preset.ts';

/** Sections of the specification of 2015 by the rule of 2022 with the same content. */
const sections: Readonly<Record<string, string>> = {
  R0001: '4.1',
  R0002: '4.2',
  R0003: '4.3',
  R0004: '4.4',
  R0005: '4.5',
  R0006: '4.6',
  R0007: '4.8',
  R0008: '4.9',
  R0009: '4.10',
  R0010: '4.12',
  R0011: '4.11',
  R0012: '4.13',
  R0013: '4.7',
  R0014: '4.14',
  R0015: '4.15',
  R0016: '4.16',
  R0017: '4.16',
  R0018: '4.17',
  R0019: '4.17',
  R0020: '4.18',
  R0021: '4.19',
  R0022: '4.19',
  R0023: '4.20',
  R0024: '4.21',
  // Inks beside CMYK, and hidden layers, are rules of variants that 2015 does not have.
  R0025: '4.22',
  R0026: '4.22',
  R0027: '4.23',
  R0028: '4.24',
  R0030: '4.25',
  R0031: '4.26',
  R0032: '4.27',
  R0033: '4.28',
  R0034: '4.29',
  R0036: '4.29',
  R0035: '4.30',
};
const sectionOf = (rule: string): string => `GWG2015:${sections[rule] ?? rule}`;

const families = [
  'Magazine Ads',
  'Newspaper Ads',
  'SheetCMYK',
  'SheetSpot',
  'WebCMYKNews',
  'WebCMYK',
  'WebSpot',
] as const;

/**
 * What 2015 says otherwise: pages of web and sheet jobs may not be one picture either (4.28, 450 ppi as warning), no layer
 * configuration beside the default one in any variant (4.29), one spot colour in newspaper ads for CMYK only (4.18), and
 * names that are told apart by case alone are a warning (4.19).
 */
function of2015(variant: GwgVariant): GwgVariant {
  const isNews = variant.name.startsWith('Newspaper Ads') || variant.name.startsWith('WebCMYKNews');
  const pages: Level = variant.name.startsWith('Sheet') || variant.name.startsWith('WebSpot') ? 'W' : 'E';
  return {
    ...variant,
    singleImagePpi: [isNews ? 99 : 149, 449],
    layerConfigs: 'E',
    sameSize: pages,
    emptyPage: pages,
    spotsAllowed: variant.name === 'Newspaper Ads CMYK' ? 1 : 0,
    sameNames: 'W',
  };
}

export const gwg2015Presets: readonly Preset[] = gwg2022Variants
  .filter(({ name }) => families.some((family) => name.startsWith(`${family} CMYK`)))
  .map((variant) =>
    definePreset({
      key: `gwg2015-${slug(variant.name)}`,
      version: 1,
      group: 'GWG2015',
      name: `GWG 2015 ${variant.name}`,
      profile: { boxPolicy: { onMissingTrim: 'Off' }, checks: checksOf(of2015(variant), sectionOf) },
    }),
  );
