import { Text } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';

/** What to do with a canvas that nothing stands on yet. */
export function EmptyHint() {
  const { t } = useTranslation();
  return (
    <div className={classes.empty}>
      <IconSitemap size={32} stroke={1.5} aria-hidden />
      <Text fw={600}>{t('builder.empty')}</Text>
      <Text size="sm" c="dimmed" maw={380}>
        {t('builder.emptyText')}
      </Text>
    </div>
  );
}
