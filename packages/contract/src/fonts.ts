import { z } from 'zod';
import { exportOf } from './list-export.ts';
import { idParamsSchema, idSchema, pageOf, pagingSchema, sortedBy, timeSchema } from './paging.ts';
import { may, route } from './route.ts';

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

/** A font file of the largest sets of characters has some 30 MB. */
export const mostFontBytes = 64 * 1024 * 1024;

export const fontSchema = fontFileFactsSchema.extend({
  id: idSchema,
  fileName: z.string(),
  size: z.number().int().describe('Bytes'),
  createdAt: timeSchema,
  createdBy: z.string().describe('Name of who uploaded it'),
  lastUsedAt: timeSchema.nullable().describe('When it was last embedded in a file'),
});
export type LibraryFont = z.infer<typeof fontSchema>;

/** What the library is sorted by; a name is family and style. */
export const fontSorts = ['name', 'licence', 'kind', 'letters', 'lastUsed', 'added'] as const;
export type FontSort = (typeof fontSorts)[number];

const fontQuerySchema = pagingSchema.extend(sortedBy(fontSorts));

export const fontRoutes = {
  list: route({
    method: 'GET',
    path: '/fonts',
    access: may('fonts.view'),
    summary: 'The font library: fonts that the fix EmbedFonts may embed',
    query: fontQuerySchema,
    result: pageOf(fontSchema),
  }),
  export: exportOf('/fonts', may('fonts.view'), fontQuerySchema.omit({ page: true, pageSize: true })),
  add: route({
    method: 'POST',
    path: '/fonts',
    access: may('fonts.manage'),
    summary: 'Upload a TrueType or OpenType font (multipart, field `file`) whose licence allows embedding',
    result: fontSchema,
    status: 201,
    rateLimit: { max: 600, windowSeconds: 3600 },
  }),
  remove: route({
    method: 'DELETE',
    path: '/fonts/:id',
    access: may('fonts.delete'),
    summary: 'Remove a font from the library; files in which it was embedded keep it',
    params: idParamsSchema,
    result: z.object({}),
  }),
};
