import { ActionIcon } from '@mantine/core';
import { useReducedMotion, useWindowScroll } from '@mantine/hooks';
import { IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { scrollToTopThreshold } from '../constants.ts';
import classes from './frame.module.css';

export function ScrollToTop() {
  const { t } = useTranslation();
  const [{ y }, scrollTo] = useWindowScroll();
  const isStill = useReducedMotion();
  if (y <= scrollToTopThreshold) return null;
  const act = () => (isStill ? window.scrollTo(0, 0) : scrollTo({ y: 0 }));
  return (
    <ActionIcon className={classes.toTop} radius="xl" onClick={act} aria-label={t('frame.toTop')}>
      <IconArrowUp size={20} />
    </ActionIcon>
  );
}
