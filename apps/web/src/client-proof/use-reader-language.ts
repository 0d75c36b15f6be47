import { type Locale, locales } from '@pdf2press/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { setLanguage } from '../language/language.ts';

const parameter = 'lang';

/** The page speaks the language in which the reader was written to, until another one is chosen. */
export function useReaderLanguage(locale: Locale | null): void {
  const [search] = useSearchParams();
  const chosen = search.get(parameter);
  const wanted = chosen === null ? locale : null;
  useEffect(() => {
    if (wanted) void setLanguage(wanted);
  }, [wanted]);
}

/** The language and how to change it. The choice stands in the address, so that it outlasts a reload. */
export function useLanguageChoice(): [string, (locale: string | null) => void] {
  const { i18n } = useTranslation();
  const [, setSearch] = useSearchParams();
  const choose = (wish: string | null) => {
    const locale = locales.find((one) => one === wish);
    if (!locale) return;
    setSearch({ [parameter]: locale }, { replace: true });
    void setLanguage(locale);
  };
  return [i18n.language, choose];
}
