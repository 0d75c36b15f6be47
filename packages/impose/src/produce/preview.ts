import type { LayoutPage } from '@pdf2press/contract';
import { isPdf } from '../dies/die-files/die-files.ts';
import { attachedDie, hasDie, layDies, needsDieFile } from '../dies/lay-dies.ts';
import { type ImposeProfile, planOf } from '../profile/profile.ts';
import { attachedText } from '../sheet/attachment.ts';
import { fault, type PlanResult } from '../sheet/problems.ts';

/** The plan of a preview, which is made without opening a PDF. */
export type PreviewResult = PlanResult & {
  /** The die is in a PDF, which only the job opens; the preview uses the trim of the pages in its place. */
  isDieAssumed: boolean;
};

/**
 * Plans sheets from page boxes and a profile alone, so that it runs in a browser. Problems are returned, none are
 * thrown.
 */
export function planPreview(pages: readonly LayoutPage[], profile: ImposeProfile): PreviewResult {
  if (!hasDie(profile)) return { ...planOf({ pages }, profile), isDieAssumed: false };
  const { file } = profile.die;
  const isInPdf = profile.die.source === 'Artwork' && profile.stations.source === 'Nesting';
  if (isInPdf || (needsDieFile(profile) && file && isPdf(attachedText(file)))) {
    const assumed = {
      ...profile,
      die: { ...profile.die, source: 'Trim' as const },
      stations: { ...profile.stations, source: 'Nesting' as const },
    };
    return { ...planOf({ pages }, assumed), isDieAssumed: true };
  }
  if (!needsDieFile(profile)) return { ...planOf({ pages }, profile), isDieAssumed: false };
  const sheet = attachedDie(profile);
  if (file && (!sheet || sheet.dies.length === 0))
    return {
      ok: false,
      problems: [fault('impose.attachmentUnreadable', 'die.file', { name: file.name })],
      isDieAssumed: false,
    };
  // The die in the artwork is not known here; the first station is used in its place.
  const source = profile.die.source === 'Trim' ? ('Trim' as const) : ('File' as const);
  const laid = { ...profile, die: { ...profile.die, source } };
  const dies = sheet ? layDies(sheet, laid, pages, () => []) : {};
  return { ...planOf({ pages, ...dies }, laid), isDieAssumed: false };
}
