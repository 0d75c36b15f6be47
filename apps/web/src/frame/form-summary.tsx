import { Alert, Anchor } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { FieldErrors, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

export interface Fault {
  /** Dotted, as the field is called in the form. */
  path: string;
  message: string;
  focus: (() => void) | undefined;
  /** What its field is called, as far as the field itself knows. */
  label: string;
}

interface Leaf {
  type?: unknown;
  message?: unknown;
  ref?: { focus?: () => void; labels?: ArrayLike<{ textContent: string | null }> | null };
}

/** Without the asterisk of what is required. */
const labelOf = (ref: Leaf['ref']): string => (ref?.labels?.[0]?.textContent ?? '').replace(/\s*\*$/, '');

/** All that is wrong with a form, in the order of its values. */
export function faultsOf(errors: FieldErrors<FieldValues>, at = ''): Fault[] {
  return Object.entries(errors).flatMap(([key, error]) => {
    const path = at ? `${at}.${key}` : key;
    const { type, message, ref } = (error ?? {}) as Leaf;
    if (typeof type === 'string' && typeof message === 'string' && message !== '')
      return [{ path, message, focus: ref?.focus?.bind(ref), label: labelOf(ref) }];
    return typeof error === 'object' && error !== null ? faultsOf(error as FieldErrors<FieldValues>, path) : [];
  });
}

/** What must be put right before the form can be saved, each with the way to its field: some are folded away. */
export function FormSummary({
  faults,
  nameOf,
}: {
  faults: readonly Fault[];
  nameOf: ((path: string) => string | undefined) | undefined;
}) {
  const { t } = useTranslation();
  return (
    <Alert
      role="alert"
      color="error"
      variant="light"
      icon={<IconAlertCircle size={20} />}
      title={t('form.faults', { count: faults.length })}
    >
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {faults.map(({ path, message, focus, label }) => {
          const text = [label || nameOf?.(path), message].filter(Boolean).join(': ');
          return (
            <li key={path}>
              {focus ? (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  mih={24}
                  c="inherit"
                  underline="always"
                  onClick={focus}
                >
                  {text}
                </Anchor>
              ) : (
                text
              )}
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
