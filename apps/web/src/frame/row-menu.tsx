import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LateMenu, type MenuAct } from './late-menu.tsx';

type Acts = readonly (MenuAct | false)[];

/** What can be done with a row of a list; a function is asked when the menu is opened. */
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
