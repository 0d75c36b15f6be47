import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { embedOrigins } from '../client/tokens.ts';
import { useAddress } from './embed.ts';
import classes from './frame.module.css';

/** The frame of an embedded page: no navigation and no footer. Without a token only the reason is shown. */
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
    <main style={{ display: 'flex', flexDirection: 'column', padding: 16 }}>
      <Outlet />
    </main>
  );
}

/** Posts a message to the embedding page; the browser delivers it only to the origins that the token names. */
function tell(message: { kind: 'navigate' | 'resize'; path: string; height?: number }): void {
  const around = window.location.ancestorOrigins?.[0];
  for (const origin of embedOrigins())
    if (around === undefined || around === origin)
      window.parent.postMessage({ source: 'pdf2press', ...message }, origin);
}

/** Tells the embedding page the address and height of this page, so that it can size the iframe. */
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
