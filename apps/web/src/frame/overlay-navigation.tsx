import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Brand } from './brand.tsx';
import { VerticalEntries } from './navigation.tsx';

/** The navigation on narrow screens: a drawer that traps the focus. */
export function OverlayNavigation({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={280}
      title={<Brand />}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      padding={0}
    >
      <nav aria-label={t('frame.navigation')} style={{ padding: '0 12px 16px' }}>
        <VerticalEntries onOpen={onClose} />
      </nav>
    </Drawer>
  );
}
