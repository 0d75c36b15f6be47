import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { usePreferences } from '../preferences/preferences.ts';
import classes from './frame.module.css';

/** No navigation: sign-in, links from e-mails, public pages, errors. */
export function BlankLayout() {
  const skin = usePreferences((preferences) => preferences.skin);
  useEffect(() => {
    document.documentElement.dataset.skin = skin;
  }, [skin]);
  return (
    <main className={classes.blank}>
      <Outlet />
    </main>
  );
}
