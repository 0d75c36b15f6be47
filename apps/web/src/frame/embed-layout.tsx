import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { embedOrigins } from '../client/tokens.ts';
import { useAddress } from './embed.ts';
import classes from './frame.module.css';

/** Inside another site's page: no navigation, no footer, no padding around. Without a token nothing is shown but the reason. */
export function EmbedLayout() {
  const { t } = useTranslation();
  const hasToken = useAddress((address) => address.hasToken);
  useMessages();
  if (!hasToken) {
    return (
      <main className={classes.blank}>
        <Alert role="alert" color="error" variant="light" icon={<IconAlertCircle size={20} />}>
          {t('auth.embedTokenInvalid')}
        </Alert>
      </main>
    );
  }
  return (
    <main style={{ display: 'flex', flexDirection: 'column' }}>
      <Outlet />
    </main>
  );
}

/** Says something to the page around, if it is of a site that the token names; the browser drops it otherwise. */
function tell(message: { kind: 'navigate' | 'resize'; path: string; height?: number }): void {
  const around = window.location.ancestorOrigins?.[0];
  for (const origin of embedOrigins())
    if (around === undefined || around === origin)
      window.parent.postMessage({ source: 'pdf2press', ...message }, origin);
}

/** Tells the page around where this one is and how high, so that it can give it room. */
function useMessages(): void {
  const { pathname: path } = useLocation();
  useEffect(() => {
    if (window.parent === window) return;
    tell({ kind: 'navigate', path });
    const resized = () => tell({ kind: 'resize', path, height: document.body.scrollHeight });
    resized();
    const observer = new ResizeObserver(resized);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [path]);
}
