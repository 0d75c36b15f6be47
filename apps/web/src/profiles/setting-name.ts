import type { SettingsWords } from '@pdf2press/ui';

interface Named extends Pick<SettingsWords, 'label'> {
  name: string;
}

/**
 * What a setting that was refused is called: `settings.actions.1.settings.rules.0.from` → `Map spots: Spot colour`.
 * Undefined for a path that is none of the list's.
 */
export function settingName(
  path: string,
  list: 'checks' | 'actions',
  settings: Record<string, unknown>,
  wordsOf: (key: string) => Named | undefined,
): string | undefined {
  const [, at, rest = ''] = new RegExp(`^(?:settings\\.)?${list}\\.(\\d+)\\.settings\\.(.+)$`).exec(path) ?? [];
  const entries = settings[list];
  if (at === undefined || !Array.isArray(entries)) return undefined;
  const words = wordsOf(String((entries[Number(at)] as { key?: unknown } | undefined)?.key));
  // A row's number says nothing that the label does not.
  return words && `${words.name}: ${words.label(rest.replace(/\.\d+(?=\.\D)/g, ''))}`;
}
