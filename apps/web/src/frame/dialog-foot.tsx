import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  onClose: () => void;
  /** What the form of the dialog does. */
  act: string;
  isUnderway?: boolean;
  isDisabled?: boolean;
  isDangerous?: boolean;
  /** The focus goes to the act when the dialog opens. */
  hasFocus?: boolean;
}

/** The foot of every dialog that asks: Cancel, and what is to be done. */
export function DialogFoot({
  onClose,
  act,
  isUnderway = false,
  isDisabled = false,
  isDangerous = false,
  hasFocus = false,
}: Props) {
  const { t } = useTranslation();
  return (
    <Group justify="end">
      <Button variant="default" onClick={onClose}>
        {t('common.cancel')}
      </Button>
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
