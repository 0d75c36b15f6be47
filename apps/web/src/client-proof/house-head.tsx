import { NativeSelect } from '@mantine/core';
import { locales } from '@pdf2press/contract';
import { organizationRoutes } from '@pdf2press/contract/calls';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { pathOf } from '../client/address.ts';
import { languageNames } from '../language/language.ts';
import { useTheme } from '../preferences/use-theme.ts';
import type { Hex } from '../theme/colours.ts';
import { themeVariables } from '../theme/theme.ts';
import classes from './client-proof.module.css';
import { useLanguageChoice } from './use-reader-language.ts';

interface Props {
  house: { title: string; organization: { name: string; color: string | null; logo: string | null } | null };
  children?: ReactNode;
}

/** The head of the page: whose it is, in their colour. */
export function HouseHead({ house, children }: Props) {
  const name = house.organization?.name || house.title;
  const logo = house.organization?.logo;
  useHouseColour(house.organization?.color ?? null);
  return (
    <header className={classes.head}>
      {logo ? (
        <img className={classes.logo} src={pathOf(organizationRoutes.logo, { logo })} alt="" />
      ) : (
        <span className={classes.mark} aria-hidden>
          {[...name][0]?.toLocaleUpperCase()}
        </span>
      )}
      <strong className={classes.house}>{name}</strong>
      {children}
      <LanguageChoice />
    </header>
  );
}

function LanguageChoice() {
  const { t } = useTranslation();
  const [language, choose] = useLanguageChoice();
  return (
    <NativeSelect
      className={classes.language}
      aria-label={t('frame.language')}
      data={locales.map((locale) => ({ value: locale, label: languageNames[locale] }))}
      value={language}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/** Gives the page, with its dialogs, the colour of the house; shades are chosen so that texts stay readable. */
function useHouseColour(colour: string | null): void {
  const theme = useTheme();
  useEffect(() => {
    if (!colour || !/^#[0-9a-f]{6}$/i.test(colour)) return;
    const root = document.documentElement;
    const variables = Object.entries(themeVariables(theme, colour as Hex));
    for (const [name, value] of variables) root.style.setProperty(name, value);
    return () => {
      for (const [name] of variables) root.style.removeProperty(name);
    };
  }, [colour, theme]);
}
