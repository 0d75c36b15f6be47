import { Button } from '@mantine/core';
import { IconChevronDown, IconDroplet } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LatePopover, type OpenerProps } from '../frame/late-menu.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import type { InkMenuProps } from './ink-choice.tsx';
import classes from './viewer.module.css';

const InkChoice = lazy(async () => ({ default: (await import('./ink-choice.tsx')).InkChoice }));

/** View of the inks: composite, separations, or the total ink coverage as a heat map. Loaded when it is first opened. */
export function InkMenu(props: InkMenuProps) {
  const { t } = useTranslation();
  return (
    <LatePopover label={t('viewer.inks')} width={350} button={(opener) => <InkButton {...props} opener={opener} />}>
      <Suspense>
        <InkChoice {...props} />
      </Suspense>
    </LatePopover>
  );
}

function InkButton({ value, pages, opener }: InkMenuProps & { opener: OpenerProps }) {
  const { t } = useTranslation();
  const hasInks = pages.some(({ inks }) => inks.length > 0);
  useShortcuts('keys.viewer', hasInks ? [{ keys: 's', label: 'viewer.inks', run: opener.onClick }] : []);
  return (
    <Button
      variant={value.kind === 'all' ? 'default' : 'light'}
      size="xs"
      title={t('viewer.inks')}
      leftSection={<IconDroplet size={15} aria-hidden />}
      rightSection={<IconChevronDown size={13} aria-hidden />}
      disabled={!hasInks}
      {...opener}
    >
      <span className={classes.menuWord}>{t('viewer.inks')}</span>
    </Button>
  );
}
