/** Imposes PDFs. Only the child process of packages/tasks imports it; other rooms run a task. */
import type { Locale, PlanProblem, Unit } from '@pdf2press/contract';

export { type ImposeOutput, type ImposeResult, impose } from './produce/impose.ts';

/** Problems as sentences, lengths in `unit`. Words are loaded for them, and not for a job without any. */
export async function problemSentences(
  problems: readonly PlanProblem[],
  { locale, unit }: { locale: Locale; unit: Unit },
): Promise<string[]> {
  if (problems.length === 0) return [];
  const { ownSentence } = await import('./layouts/own-sentence.ts');
  const own = problems.map((problem) => ownSentence(problem, locale, unit));
  if (own.every((said) => said !== null)) return own;
  // Words that all packages share, five times as many.
  const { problemSentence } = await import('./layouts/say.ts');
  return problems.map((problem) => problemSentence(problem, locale, unit));
}
