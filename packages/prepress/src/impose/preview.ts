import type { LayoutPage } from '@pdf2press/contract';
import { attachedText } from '../layouts/attachment.ts';
import { type ImposeProfile, planOf } from '../layouts/layouts.ts';
import { fault, type PlanResult } from '../layouts/problems.ts';
import { isPdf } from './die-files/die-files.ts';
import { attachedDie, layDies, needsDieFile } from './lay-dies.ts';

/** The plan of a preview: of what can be known without opening a PDF, in a browser. */
export type PreviewResult = PlanResult & {
  /** The die is drawn in a PDF that only the job opens: the trim of the pages stands for it. */
  isDieAssumed: boolean;
};

/** The sheets as they will be, as far as they can be told from the pages' sizes and the profile alone. */
export function planPreview(pages: readonly LayoutPage[], profile: ImposeProfile): PreviewResult {
  if (profile.type !== 'DieCut') return { ...planOf({ pages }, profile), isDieAssumed: false };
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
  // What the artwork draws is known to the job alone: the first station stands for it.
  const source = profile.die.source === 'Trim' ? ('Trim' as const) : ('File' as const);
  const laid = { ...profile, die: { ...profile.die, source } };
  const dies = sheet ? layDies(sheet, laid, pages, () => []) : {};
  return { ...planOf({ pages, ...dies }, laid), isDieAssumed: false };
}
