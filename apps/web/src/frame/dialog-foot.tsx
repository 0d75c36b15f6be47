import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  onClose: () => void;
  /** Label of the button that submits. */
  act: string;
  isUnderway?: boolean;
  isDisabled?: boolean;
  isDangerous?: boolean;
  /** Focuses the submit button when the dialog opens. */
  hasFocus?: boolean;
  /** Further buttons, between Cancel and the action. */
  children?: ReactNode;
}

/** The buttons of a dialog with a question: Cancel and the action. */
export function DialogFoot({
  onClose,
  act,
  isUnderway = false,
  isDisabled = false,
  isDangerous = false,
  hasFocus = false,
  children,
}: Props) {
  const { t } = useTranslation();
  return (
    <Group justify="end">
      <Button variant="default" onClick={onClose}>
        {t('common.cancel')}
      </Button>
      {children}
      <Button
        type="submit"
        loading={isUnderway}
        disabled={isDisabled}
        color={isDangerous ? 'error' : 'brand'}
        {...(hasFocus ? { 'data-autofocus': true } : {})}
      >
        {act}
      </Button>
    </Group>
  );
}
