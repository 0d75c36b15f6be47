import type { Assignee, Teammate } from '@pdf2press/contract';

/** What is being typed behind an `@` at the end of a text, and where the `@` stands; null = no name is being typed. */
export function openMention(before: string): { at: number; typed: string } | null {
  const match = /(^|\s)@([^@\n]{0,40})$/.exec(before);
  if (!match) return null;
  return { at: match.index + (match[1]?.length ?? 0), typed: match[2] ?? '' };
}

/** Names that what was typed may become, people before roles. */
export const suggestionsFor = (typed: string, team: readonly Teammate[]): readonly Teammate[] =>
  team.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase())).slice(0, 6);

/** Ids of those whose name stands behind an `@` in the text; of names that begin alike, the longest counts. */
export function mentionsIn(text: string, team: readonly Teammate[]): string[] {
  const byLength = [...team].sort((a, b) => b.name.length - a.name.length);
  let rest = text;
  return byLength.flatMap(({ id, name }) => {
    if (!rest.includes(`@${name}`)) return [];
    rest = rest.replaceAll(`@${name}`, ' ');
    return [id];
  });
}

/** A text cut at its mentions. */
export function textParts(
  text: string,
  mentions: readonly Assignee[],
): readonly { text: string; isMention: boolean }[] {
  const names = mentions
    .flatMap(({ name }) => (name ? [`@${name}`] : []))
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (names.length === 0) return [{ text, isMention: false }];
  return text
    .split(new RegExp(`(${names.join('|')})`))
    .map((part, at) => ({ text: part, isMention: at % 2 === 1 }))
    .filter((part) => part.text !== '');
}
