import { notifications } from '@mantine/notifications';
import { IconAlertCircle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import i18next from 'i18next';
import { CallError, failureText } from '../client/call-error.ts';
import { needToasts } from './late-toasts.ts';

const t = (key: string, params?: Record<string, unknown>): string => i18next.t(key, params ?? {});

const show = (toast: Parameters<typeof notifications.show>[0]): void => {
  needToasts();
  notifications.show(toast);
};

/** All toasts: top right, five seconds, kept on navigation and on click. Only errors have the role alert. */
export const notify = {
  success: (message: string): void =>
    show({
      message,
      color: 'var(--p2p-success)',
      icon: <IconCheck size={18} />,
      role: 'status',
      closeButtonProps: { 'aria-label': t('common.close') },
    }),
  info: (message: string): void =>
    show({
      message,
      color: 'var(--p2p-info)',
      icon: <IconInfoCircle size={18} />,
      role: 'status',
      closeButtonProps: { 'aria-label': t('common.close') },
    }),
  error: (message: string): void =>
    show({
      message,
      color: 'var(--p2p-error)',
      icon: <IconAlertCircle size={18} />,
      role: 'alert',
      closeButtonProps: { 'aria-label': t('common.close') },
    }),
  /** The sentence of a failed call. An expired sign-in has its own toast and is not reported twice. */
  failure: (error: unknown): void => {
    if (error instanceof CallError && error.kind === 'signedOut') return;
    notify.error(failureText(error, t));
  },
  tokenInvalid: (): void =>
    show({
      id: 'token-invalid',
      message: t('auth.tokenInvalid'),
      color: 'var(--p2p-error)',
      icon: <IconAlertCircle size={18} />,
      role: 'alert',
      closeButtonProps: { 'aria-label': t('common.close') },
    }),
};
