import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LateMenu, type MenuAct } from './late-menu.tsx';

/** What can be done with a row of a list. */
export function RowMenu({ name, acts }: { name: string; acts: readonly (MenuAct | false)[] }) {
  const { t } = useTranslation();
  if (!acts.some(Boolean)) return null;
  return (
    <LateMenu
      button={(opener) => (
        <ActionIcon {...opener} variant="subtle" color="neutral" aria-label={t('list.actionsOf', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      )}
      entries={() => acts}
    />
  );
}
