import type { SettingsWords } from '@pdf2press/ui';

interface Named extends Pick<SettingsWords, 'label'> {
  name: string;
}

/**
 * The label of a refused setting: `settings.actions.1.settings.rules.0.from` → `Map spots: Spot colour`. Undefined for
 * a path outside the list.
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
  // Indices of rows are left out.
  return words && `${words.name}: ${words.label(rest.replace(/\.\d+(?=\.\D)/g, ''))}`;
}
