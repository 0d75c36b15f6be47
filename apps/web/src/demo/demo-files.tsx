import { useTranslation } from 'react-i18next';
import { Totals } from '../sessions/finding-totals.tsx';
import { SessionStatusChip } from '../sessions/status.tsx';
import classes from './demo.module.css';
import { sampleFiles } from './sample.ts';

/** The list of files; the first one is the file of the tour. */
export function DemoFiles({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.findings} aria-label={t('demo.files')}>
      {sampleFiles.map(({ id, name, customer, pages, status, errors, warnings }, at) => {
        const row = (
          <>
            <span className={classes.fileName}>
              <b>{name}</b>
              <small>
                {customer} · {t('demo.pages', { count: pages })}
              </small>
            </span>
            <Totals totals={{ Fail: errors, Warn: warnings, Info: 0 }} />
            <SessionStatusChip status={status} />
          </>
        );
        return (
          <li key={id}>
            {at === 0 ? (
              <button type="button" className={classes.finding} onClick={onOpen}>
                {row}
              </button>
            ) : (
              <div className={`${classes.finding} ${classes.still}`}>{row}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
