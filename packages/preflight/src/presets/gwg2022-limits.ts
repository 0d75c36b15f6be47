/**
 * Limits and severities of the 23 variants of the GWG 2022 specification (Ghent Workgroup), by rule id. Values that many
 * variants share are grouped. E: error, W: warning, '': the variant does not use the rule.
 */
export type Level = 'E' | 'W' | '';

export interface GwgVariant {
  name: string;
  /** R0031: images; R0032: 1-bit images; R0033: a page that is one image. [error, warning] in ppi; must be exceeded. */
  ppi: readonly [number, number];
  oneBitPpi: readonly [number, number];
  singleImagePpi: readonly [number, number] | null;
  /** R0025 (all inks) or R0026 (CMYK): percent in a square of 15 mm. */
  tac: { inks: 'cmyk' | 'all'; percent: number } | null;
  /** R0016, R0017, R0018, R0019: points. */
  whiteText: number;
  multiInkText: number;
  whiteLine: number;
  multiInkLine: number;
  /** R0015: percent; null: not used. */
  richBlackSum: number | null;
  /** R0020: no spot colours. */
  noSpots: Level;
  /** Spot colours that may be there although `noSpots` is a rule; GWG 2015 only. */
  spotsAllowed?: number;
  /** R0022: names that differ in case only; an error unless told otherwise. */
  sameNames?: Level;
  /** R0021, R0022, R0023. */
  spotNames: boolean;
  /** R0027, R0028 or R0029. */
  binding: 'Early' | 'Intermediate' | 'Late';
  /** R0002, R0004, R0005, R0006, R0008, R0034. */
  userUnit: Level;
  sameSize: Level;
  emptyPage: Level;
  onePage: Level;
  whitePath: Level;
  layerConfigs: Level;
  /** R0009 to R0014: black text and lines that knock out, overprint in DeviceGray, Courier. */
  blackText: boolean;
  blackLine: boolean;
  grayOverprint: boolean;
  courier: boolean;
  /** R0024. */
  registration: boolean;
  /** R0036: no hidden layers; R0037: scale and viewing distance. */
  largeFormat: boolean;
  /** R1001 (cutting) and R1002 (creasing), as `Group/Type` of ISO 19593-1. */
  processingSteps: readonly string[];
}

const commercial = {
  ppi: [149, 224],
  oneBitPpi: [549, 799],
  singleImagePpi: null,
  whiteLine: 0.25,
  multiInkLine: 0.25,
  richBlackSum: 280,
  noSpots: 'E',
  spotNames: false,
  binding: 'Early',
  userUnit: 'E',
  sameSize: '',
  emptyPage: 'E',
  onePage: '',
  whitePath: 'W',
  layerConfigs: '',
  blackText: true,
  blackLine: true,
  grayOverprint: true,
  courier: true,
  registration: true,
  largeFormat: false,
  processingSteps: [],
} as const satisfies Partial<GwgVariant>;

const news = {
  ppi: [99, 149],
  tac: { inks: 'cmyk', percent: 245 },
  whiteText: 10,
  multiInkText: 10,
  richBlackSum: 220,
} as const;
const ads = { onePage: 'E', layerConfigs: 'E' } as const;
const web = { tac: { inks: 'cmyk', percent: 305 }, whiteText: 9, multiInkText: 9, sameSize: 'E' } as const;
const sheet = {
  tac: { inks: 'cmyk', percent: 320 },
  whiteText: 8,
  multiInkText: 8,
  sameSize: 'W',
  emptyPage: 'W',
} as const;
const spots = { noSpots: 'W', spotNames: true } as const;

const packaging = {
  ...commercial,
  ppi: [199, 239],
  singleImagePpi: [449, 1199],
  tac: { inks: 'all', percent: 320 },
  whiteText: 5,
  multiInkText: 14,
  whiteLine: 0.3,
  multiInkLine: 1.5,
  noSpots: '',
  spotNames: true,
  sameSize: 'W',
  emptyPage: 'W',
  onePage: 'W',
  whitePath: 'E',
  layerConfigs: 'W',
  processingSteps: ['Structural/Cutting'],
} as const satisfies Partial<GwgVariant>;
/** From either side: Creasing, ReverseCreasing, CuttingCreasing (ISO 19593-1). */
const creased = { processingSteps: ['Structural/Cutting', 'Structural/*Creasing'] } as const;

/** CMYK variants exist twice; the second also accepts RGB with a profile. */
const withRgb = (variant: GwgVariant): GwgVariant[] => [
  { ...variant, name: `${variant.name} CMYK` },
  { ...variant, name: `${variant.name} CMYK + RGB`, binding: 'Intermediate' },
];

export const gwg2022Variants: readonly GwgVariant[] = [
  ...withRgb({ ...commercial, ...web, ...ads, sameSize: '', name: 'Magazine Ads', singleImagePpi: [149, 449] }),
  ...withRgb({ ...commercial, ...news, ...ads, name: 'Newspaper Ads', singleImagePpi: [99, 449] }),
  ...withRgb({ ...commercial, ...sheet, name: 'SheetCMYK' }),
  ...withRgb({ ...commercial, ...sheet, ...spots, name: 'SheetSpot' }),
  ...withRgb({ ...commercial, ...web, name: 'WebCMYK' }),
  ...withRgb({ ...commercial, ...web, ...spots, name: 'WebSpot' }),
  ...withRgb({ ...commercial, ...news, sameSize: 'E', name: 'WebCMYKNews' }),
  {
    ...packaging,
    ...creased,
    name: 'Packaging Offset',
    ppi: [239, 299],
    multiInkText: 8,
    whiteLine: 0.15,
    multiInkLine: 0.3,
  },
  {
    ...packaging,
    ...creased,
    name: 'Packaging Gravure',
    ppi: [239, 299],
    tac: { inks: 'all', percent: 310 },
    multiInkText: 6,
    whiteLine: 0.2,
    multiInkLine: 0.3,
  },
  { ...packaging, ...creased, name: 'Packaging Flexo' },
  { ...packaging, name: 'Label & Leaflet' },
  { ...packaging, ...creased, name: 'Folding Carton & Corrugated Box' },
  { ...packaging, name: 'Flexible' },
  { ...packaging, name: 'Corrugated Display' },
  {
    ...commercial,
    name: 'Digital Print',
    ppi: [95, 149],
    oneBitPpi: [349, 599],
    tac: null,
    whiteText: 5,
    multiInkText: 5,
    noSpots: 'W',
    binding: 'Intermediate',
    sameSize: 'W',
    emptyPage: '',
    blackText: false,
    blackLine: false,
    grayOverprint: false,
    courier: false,
    richBlackSum: 280,
  },
  {
    ...commercial,
    name: 'Large Format Print',
    ppi: [239, 299],
    tac: null,
    whiteText: 5,
    multiInkText: 5,
    whiteLine: 0.15,
    multiInkLine: 0.15,
    richBlackSum: null,
    noSpots: '',
    binding: 'Late',
    userUnit: 'W',
    emptyPage: 'W',
    blackLine: false,
    grayOverprint: false,
    courier: false,
    registration: false,
    largeFormat: true,
  },
];
