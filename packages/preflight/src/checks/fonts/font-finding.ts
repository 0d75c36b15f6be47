import type { Font } from '@pdf2press/pdf';
import type { TextObject } from '../../reading/scene.ts';
import type { PageContext } from '../runner.ts';

/** The GWG 2015 specification rounds text sizes to one decimal before comparing. */
export const tenth = (size: number): number => Math.round(size * 10) / 10;

/** The fields of a finding about a font. */
export const fontFinding = (font: Font) => ({
  objectType: 'font' as const,
  resourceName: font.baseName,
  acrossPages: true,
  ...(font.object && { objectRef: `${font.object} 0 R` }),
});

/** Size on paper in points, and number of inks, of a text. */
export const textFacts = ({ page }: PageContext<'Fonts'>, object: TextObject) => ({
  effectiveSize: tenth(object.event.effectiveSize * page.userUnit),
  inkCount: (object.fill ?? object.stroke)?.inkCount ?? 0,
});
