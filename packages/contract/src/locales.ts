/** The interface languages of the product; anything else falls back to `en` (specification §1). */
export const locales = ['en', 'zh', 'fr', 'es', 'pt', 'it-IT'] as const;
export type Locale = (typeof locales)[number];

/**
 * The supported locale nearest to a wish such as `pt-BR`, `it` or an Accept-Language header.
 * Unknown or missing wishes give `en`.
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
