import { systemRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { appTitle } from '../constants.ts';
import classes from './frame.module.css';

export function Footer() {
  const { t } = useTranslation();
  const { data } = useCall(systemRoutes.appInfo, undefined, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <footer className={classes.footer}>
      <span>
        {data?.title ?? appTitle} {data?.version && <span className="tabular">{data.version}</span>}
      </span>
      <a href="/api/docs">{t('frame.apiDocs')}</a>
    </footer>
  );
}
