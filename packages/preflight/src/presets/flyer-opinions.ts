/** What an expert says of twenty public files that are ordered as flyers, and the rules with which the preset says it. */
export interface Opinion {
  file: string;
  expert: string;
  /** Every rule of which the preset gives a warning or an error. */
  rules: readonly string[];
  /** Where the two differ; without it they say the same. */
  difference?: string;
}

export const opinions: readonly Opinion[] = [
  {
    file: 'opf__Neddy_Flyer_HeatherRyan.pdf',
    expert:
      'A quarter of a letter page is filled, with hairlines where to cut: the sheet was sent, not the flyer. Pictures of 72 ppi in RGB, black in RGB, black runs to the edge without bleed, the title is within 2 mm of the cut.',
    rules: [
      'PageBoxes.trimAndArt',
      'ColorSpaces.notAllowed',
      'RichBlack.rgbBlack',
      'ImageResolution.low',
      'Bleed.short',
      'SafetyDistance.nearEdge',
      'TotalInkCoverage.cmyk',
    ],
    difference: 'that the page is the sheet of four flyers is not said; the size is only known with the order',
  },
  {
    file: 'pdfcpu__VectorApple.pdf',
    expert:
      'An apple in CMYK on white; shadows and texture are pictures of 150 ppi, soft but printable. No bleed needed.',
    rules: ['PageBoxes.trimAndArt', 'ImageResolution.low', 'SafetyDistance.nearEdge'],
    difference: 'two pictures are said to be near the edge whose masks are empty there: a false alarm',
  },
  {
    file: 'pdfdiff__382252277877c00a92f3bb54daef1413bafe5557e2f5f7c32c23e800cd9bdcd4.pdf',
    expert:
      'A data sheet. The QR code is a JPEG in RGB, and the data of a picture are corrupt. Where to cut is not given.',
    rules: ['Preflight.trimMissing', 'DocumentIntegrity.renderFailed', 'ColorSpaces.notAllowed'],
  },
  {
    file: 'pdfjs__cmykjpeg.pdf',
    expert: 'A photograph of 72 ppi in CMYK: coarse. Nothing else; trim and art box contradict each other.',
    rules: ['PageBoxes.trimAndArt', 'ImageResolution.low'],
  },
  {
    file: 'pdfjs__alphatrans.pdf',
    expert: 'A test sheet: RGB with transparency, Helvetica not embedded, a picture of 72 ppi.',
    rules: ['PageBoxes.trimAndArt', 'ColorSpaces.notAllowed', 'Fonts.notEmbedded', 'ImageResolution.low'],
  },
  {
    file: 'pdfjs__red_stamp.pdf',
    expert: 'All there is is a comment, a red stamp: it may print or not. In it an RGB picture of 18 ppi.',
    rules: [
      'Preflight.trimMissing',
      'DocumentIntegrity.annotationsInPrintArea',
      'ColorSpaces.notAllowed',
      'ImageResolution.low',
    ],
  },
  {
    file: 'preflight__72ppi.pdf',
    expert: 'A snapshot of 72 ppi in RGB with heavy shadows; where to cut is not given.',
    rules: ['Preflight.trimMissing', 'ColorSpaces.notAllowed', 'ImageResolution.low', 'TotalInkCoverage.cmyk'],
  },
  {
    file: 'preflight__artbox_and_trimbox.pdf',
    expert: 'A line of blue RGB text; trim and art box are both given, which PDF/X forbids.',
    rules: ['PageBoxes.trimAndArt', 'ColorSpaces.notAllowed'],
  },
  {
    file: 'preflight__bleedbox_larger_than_mediabox.pdf',
    expert: 'A line of blue RGB text; the bleed box reaches beyond the page.',
    rules: ['Preflight.trimMissing', 'PageBoxes.nesting', 'ColorSpaces.notAllowed'],
  },
  {
    file: 'preflight__image_5mm_bleed.pdf',
    expert: 'A snapshot of 72 ppi in RGB that runs 5 mm over the trim: enough bleed, though no bleed box says so.',
    rules: ['ColorSpaces.notAllowed', 'ImageResolution.low', 'Bleed.boxOnly', 'TotalInkCoverage.cmyk'],
  },
  {
    file: 'preflight__image_no_bleed.pdf',
    expert: 'The same snapshot ends exactly at the trim: no bleed on any side. 72 ppi, RGB.',
    rules: ['ColorSpaces.notAllowed', 'ImageResolution.low', 'Bleed.short', 'TotalInkCoverage.cmyk'],
  },
  {
    file: 'preflight__rectangle_5mm_bleed.pdf',
    expert: 'A red RGB area with enough bleed; no bleed box says so.',
    rules: ['ColorSpaces.notAllowed', 'Bleed.boxOnly'],
  },
  {
    file: 'preflight__registration_black.pdf',
    expert: 'Four pages, a flyer has two. Areas in the colour of register marks, 400 % of ink. Helvetica not embedded.',
    rules: [
      'Preflight.trimMissing',
      'Fonts.notEmbedded',
      'RichBlack.registrationBlack',
      'RichBlack.sum',
      'RichBlack.tooManyInks',
      'SpotColors.registrationInArtwork',
      'PageCount.tooMany',
      'TotalInkCoverage.cmyk',
    ],
  },
  {
    file: 'preflight__spot.pdf',
    expert: 'Five pages with spot colours, fifth and sixth plates. Helvetica not embedded; a picture of 145 ppi.',
    rules: [
      'Preflight.trimMissing',
      'Fonts.notEmbedded',
      'SpotColors.notAllowed',
      'PageCount.tooMany',
      'ImageResolution.low',
    ],
  },
  {
    file: 'preflight__transparency.pdf',
    expert:
      'A black square of RGB, which becomes four inks with more than 300 %; trim and art box contradict each other.',
    rules: ['PageBoxes.trimAndArt', 'ColorSpaces.notAllowed', 'TotalInkCoverage.cmyk'],
  },
  {
    file: 'preflight__two_mismatched_pages.pdf',
    expert: 'Two pages of different sizes, A4 and A5: front and back do not fit. Helvetica not embedded.',
    rules: ['Preflight.trimMissing', 'Fonts.notEmbedded', 'PageDimentions.differs'],
  },
  {
    file: 'pypdf__cmyk-image.pdf',
    expert: 'A photograph of 116 ppi, too soft; where to cut is not given.',
    rules: ['Preflight.trimMissing', 'ImageResolution.low'],
  },
  {
    file: 'synth__p02_no_bleed_content_stops_at_trim.pdf',
    expert: 'A cyan area that ends at the trim although a bleed box promises 3 mm: white edges after cutting.',
    rules: ['Bleed.boxLies'],
  },
  {
    file: 'synth__p04_tac_400_patch_and_320_patch.pdf',
    expert: 'Two areas of four inks, 400 % and 320 %: too much for 300 %. The first has the colour of register marks.',
    rules: ['RichBlack.registrationBlack', 'TotalInkCoverage.cmyk'],
    difference: 'of the page only the place with most ink is said',
  },
  {
    file: 'synth__p07_spot_dieline_overprint_ocg.pdf',
    expert: 'A red area with bleed and a cut line in a spot colour of its own: a die-cut job, no flyer.',
    rules: ['SpotColors.notAllowed'],
  },
];
