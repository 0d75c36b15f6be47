import { Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './frame.module.css';
import sheet from './shortcut-sheet.module.css';
import { inParts, useShortcutSets } from './shortcuts.ts';

const shown: Record<string, string> = {
  'ctrl+': 'Ctrl ',
  'alt+': 'Alt ',
  'shift+': 'Shift ',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};
const shownKeys = (keys: string) =>
  keys.split(' ').map((part) => Object.entries(shown).reduce((text, [key, word]) => text.replace(key, word), part));

/**
 * The keyboard shortcuts that work on the current page.
 * @param hasAccount false where nobody is signed in who could turn them off
 */
export function ShortcutSheet({
  isOpen,
  onClose,
  hasAccount = true,
}: {
  isOpen: boolean;
  onClose: () => void;
  hasAccount?: boolean;
}) {
  const { t } = useTranslation();
  const sets = inParts(useShortcutSets((state) => state.sets));
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('keys.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={sheet.sets}>
        {sets.map((set) => (
          <section key={set.title}>
            <Text fw={600} mb={4}>
              {t(set.title)}
            </Text>
            <dl className={sheet.list}>
              {set.shortcuts.map((shortcut) => (
                <div key={shortcut.keys} className={sheet.line}>
                  <dt>{t(shortcut.label)}</dt>
                  <dd>
                    {shownKeys(shortcut.keys).map((key) => (
                      <kbd key={key} className={classes.kbd}>
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {hasAccount && (
        <Text size="sm" c="dimmed" mt="md">
          {t('keys.offHint')}
        </Text>
      )}
    </Modal>
  );
}
