import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRevalidator, useRouteError } from 'react-router';
import { CallError } from '../client/call-error.ts';
import { dropFirstPage } from '../client/first-page.ts';
import classes from './frame.module.css';
import { Screen } from './screen.tsx';

/** Shown when a page fails to load or render. After a new release the old chunks are gone; reloading fetches the new ones. */
export function RouteFailure({ isWhole = false }: { isWhole?: boolean }) {
  const { t } = useTranslation();
  const error = useRouteError();
  const { revalidate } = useRevalidator();
  useEffect(dropFirstPage, []);
  const retry = error instanceof CallError ? () => void revalidate() : () => window.location.reload();
  const screen = <Screen title={t('state.errorTitle')} state={{ kind: 'error', error, onRetry: retry }} />;
  return isWhole ? <main className={classes.blank}>{screen}</main> : screen;
}
