import type { Locale, Me } from '@pdf2press/contract';
import { authRoutes } from '@pdf2press/contract/calls';
import i18next from 'i18next';
import { useEffect } from 'react';
import { call } from '../client/call.ts';
import { keyOf, queries } from '../client/queries.ts';
import { useAddress } from '../frame/embed.ts';
import { notify } from '../frame/toasts.tsx';
import { pseudoLocale, setLanguage } from '../language/language.ts';
import { setPreferences } from '../preferences/preferences.ts';
import { meRoute, useMe } from './use-me.ts';

/** Chosen on a page before signing in: it becomes the person's own. */
let chosenBefore: Locale | null = null;

/** Keeps the language with the person, so that what the server says is in it, too. */
async function keep(me: Me, locale: Locale): Promise<void> {
  const { firstName, lastName, phone } = me;
  const now = await call(authRoutes.updateMe, { body: { firstName, lastName, phone, locale } });
  queries.setQueryData(keyOf(meRoute), now);
  // Answers that are here already have sentences in the other language; pictures have none.
  await queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'picture' });
}

/** Shows everything in a language from now on: frame, findings, steps, messages and reports. */
export async function chooseLanguage(me: Me | undefined, locale: Locale): Promise<void> {
  setPreferences({ language: locale });
  await setLanguage(locale);
  if (me) await keep(me, locale);
  else chosenBefore = locale;
}

/** The frame speaks the language of the person who is signed in, on every device. */
export function useOwnLanguage(): void {
  const me = useMe();
  const isAddressed = useAddress((address) => address.language !== null);
  const locale = me?.locale;
  useEffect(() => {
    if (!me || !locale || isAddressed || i18next.language === pseudoLocale) return;
    const wish = chosenBefore;
    chosenBefore = null;
    if (wish && wish !== locale) keep(me, wish).catch(notify.failure);
    else if (i18next.language !== locale) chooseShown(locale).catch(notify.failure);
  }, [locale, isAddressed]);
}

async function chooseShown(locale: Locale): Promise<void> {
  setPreferences({ language: locale });
  await setLanguage(locale);
}
