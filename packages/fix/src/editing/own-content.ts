import { createHash } from 'node:crypto';
import { contentRefs, isDict, type PageFacts, type PdfFile } from '@pdf2press/pdf';
import { type AppliesWhen, settingApplies } from '@pdf2press/settings';
import type { z } from 'zod';

/**
 * The tag of what an action adds to pages: two actions of one profile are told apart by what was asked for, and the same
 * is not added twice. Settings that do not apply make no difference.
 */
export function ownTag(name: string, schema: z.ZodObject, settings: Readonly<Record<string, unknown>>): string {
  const asked = Object.entries(settings).filter(([key]) => {
    const when = (schema.shape[key] as z.ZodType | undefined)?.meta()?.appliesWhen as AppliesWhen | undefined;
    return when === undefined || settingApplies(when, settings);
  });
  const hash = createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(asked)))
    .digest('hex');
  return `PDF2PRESS_${name}_${hash.slice(0, 12)}`;
}

/** Whether a content stream of the page has a marked-content tag that an action writes around what it adds. */
export const hasOwnContent = (file: PdfFile, page: PageFacts, tag: string): boolean =>
  contentRefs(file, page).some((ref) => {
    const stream = file.resolve(ref);
    return isDict(stream) && stream.stream !== 0 && Buffer.from(file.stream(stream.stream)).includes(tag);
  });
