import { z } from 'zod';

/** What the maker of a font allows (`fsType` of its table `OS/2`). */
export const fontEmbeddings = ['Installable', 'Editable', 'PreviewAndPrint', 'Restricted'] as const;
export type FontEmbedding = (typeof fontEmbeddings)[number];

/** What a font file says of itself. */
export const fontFileFactsSchema = z.object({
  postScriptName: z.string(),
  family: z.string(),
  style: z.string(),
  fullName: z.string(),
  kind: z.enum(['TrueType', 'OpenType']).describe('OpenType = with PostScript outlines'),
  glyphCount: z.number().int(),
  embedding: z.enum(fontEmbeddings).describe('What its maker allows'),
  isSubsettingForbidden: z.boolean().describe('It may be embedded whole only'),
  isBitmapOnly: z.boolean().describe('Its outlines may not be embedded'),
  mayEmbed: z.boolean().describe('Whether it may be embedded in files'),
});
export type FontFileFacts = z.infer<typeof fontFileFactsSchema>;
