/** The interface languages of the product; any other falls back to `en`. */
export const locales = ['en', 'zh', 'fr', 'es', 'pt', 'it-IT'] as const;
export type Locale = (typeof locales)[number];

/**
 * The supported locale nearest to a request such as `pt-BR`, `it` or an Accept-Language header. Unknown or missing ones
 * give `en`.
 */
export function nearestLocale(wish: string | null | undefined): Locale {
  for (const part of (wish ?? '').split(',')) {
    const tag = part.split(';')[0]?.trim().toLowerCase() ?? '';
    const language = tag.split('-')[0];
    const hit = locales.find((locale) => locale.toLowerCase() === tag || locale.split('-')[0] === language);
    if (tag && hit) return hit;
  }
  return 'en';
}
