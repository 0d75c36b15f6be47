import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { useAddress } from './embed.ts';
import classes from './frame.module.css';

/** Inside another site's page: no navigation, no footer, no padding around. Without a token nothing is shown but the reason. */
export function EmbedLayout() {
  const { t } = useTranslation();
  const hasToken = useAddress((address) => address.hasToken);
  const { pathname } = useLocation();
  useEffect(() => {
    if (window.parent === window) return;
    // Says nothing but where it is and how high: any parent may hear that.
    const post = () =>
      window.parent.postMessage(
        { source: 'pdf2press', kind: 'resize', path: pathname, height: document.body.scrollHeight },
        '*',
      );
    post();
    const observer = new ResizeObserver(post);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [pathname]);
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
