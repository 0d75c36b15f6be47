import { IconFileOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './viewer.module.css';

/** The paper of a page that cannot be rendered, crossed out. */
export const CrossedPage = () => (
  <svg className={classes.crossed} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 0L100 100M100 0L0 100" vectorEffect="non-scaling-stroke" />
  </svg>
);

/** Says over the stage that a page in sight cannot be rendered, and what to do. */
export function UndrawableNotice() {
  const { t } = useTranslation();
  return (
    <div className={classes.undrawable} role="status">
      <IconFileOff size={28} stroke={1.5} aria-hidden />
      {t('viewer.undrawable')}
    </div>
  );
}
