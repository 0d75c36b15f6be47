import { IconFileOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './viewer.module.css';

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
