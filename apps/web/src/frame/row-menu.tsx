import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LateMenu } from './late-menu.tsx';
import type { MenuAct } from './menu-entry.ts';

type Acts = readonly (MenuAct | false)[];

/** Actions of a row; a function is called when the menu opens. */
export function RowMenu({ name, acts }: { name: string; acts: Acts | (() => Acts) }) {
  const { t } = useTranslation();
  const isAskedLater = typeof acts === 'function';
  if (!isAskedLater && !acts.some(Boolean)) return null;
  return (
    <LateMenu
      button={(opener) => (
        <ActionIcon {...opener} variant="subtle" color="neutral" aria-label={t('list.actionsOf', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      )}
      entries={() => (isAskedLater ? acts() : acts)}
    />
  );
}
