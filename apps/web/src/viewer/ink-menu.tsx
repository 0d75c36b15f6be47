import { Button } from '@mantine/core';
import { IconChevronDown, IconDroplet } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LatePopover } from '../frame/late-menu.tsx';
import type { InkMenuProps } from './ink-choice.tsx';
import classes from './viewer.module.css';

const InkChoice = lazy(async () => ({ default: (await import('./ink-choice.tsx')).InkChoice }));

/** View of the inks: composite, separations, or the total ink coverage as a heat map. Loaded when it is first opened. */
export function InkMenu(props: InkMenuProps) {
  const { t } = useTranslation();
  return (
    <LatePopover
      label={t('viewer.inks')}
      width={350}
      button={(opener) => (
        <Button
          variant={props.value.kind === 'all' ? 'default' : 'light'}
          size="xs"
          title={t('viewer.inks')}
          leftSection={<IconDroplet size={15} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          disabled={props.pages.every(({ inks }) => inks.length === 0)}
          {...opener}
        >
          <span className={classes.menuWord}>{t('viewer.inks')}</span>
        </Button>
      )}
    >
      <Suspense>
        <InkChoice {...props} />
      </Suspense>
    </LatePopover>
  );
}
