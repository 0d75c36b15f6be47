import { type Locale, nearestLocale } from '@pdf2press/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

type Words = Readonly<Record<string, string>>;

/** What variables, formats and operators are called; loaded by whoever first shows them. */
const files: Record<Locale, () => Promise<{ default: Words }>> = {
  en: () => import('@pdf2press/settings/messages/en', { with: { type: 'json' } }),
  zh: () => import('@pdf2press/settings/messages/zh', { with: { type: 'json' } }),
  fr: () => import('@pdf2press/settings/messages/fr', { with: { type: 'json' } }),
  es: () => import('@pdf2press/settings/messages/es', { with: { type: 'json' } }),
  pt: () => import('@pdf2press/settings/messages/pt', { with: { type: 'json' } }),
  'it-IT': () => import('@pdf2press/settings/messages/it-IT', { with: { type: 'json' } }),
};

/** A word such as `operator.equals` in the reader's language; undefined where there is none, or not yet. */
export function useSettingsWords(): (key: string) => string | undefined {
  const locale = nearestLocale(useTranslation().i18n.language);
  const { data } = useQuery({
    queryKey: ['settings words', locale],
    queryFn: async () => (await files[locale]()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (key) => data?.[key];
}
