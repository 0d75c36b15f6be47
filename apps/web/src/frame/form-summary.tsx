import { Alert, Anchor } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { FieldErrors, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

export interface Fault {
  /** Dotted path of the field in the form. */
  path: string;
  message: string;
  focus: (() => void) | undefined;
  /** Label of the field, as far as the field itself has one. */
  label: string;
}

interface Leaf {
  type?: unknown;
  message?: unknown;
  ref?: { focus?: () => void; labels?: ArrayLike<{ textContent: string | null }> | null };
}

/** The label without the asterisk of required fields. */
const labelOf = (ref: Leaf['ref']): string => (ref?.labels?.[0]?.textContent ?? '').replace(/\s*\*$/, '');

/** All faults of a form, in the order of its values. */
export function faultsOf(errors: FieldErrors<FieldValues>, at = ''): Fault[] {
  return Object.entries(errors).flatMap(([key, error]) => {
    const path = at ? `${at}.${key}` : key;
    const { type, message, ref } = (error ?? {}) as Leaf;
    if (typeof type === 'string' && typeof message === 'string' && message !== '')
      return [{ path, message, focus: ref?.focus?.bind(ref), label: labelOf(ref) }];
    return typeof error === 'object' && error !== null ? faultsOf(error as FieldErrors<FieldValues>, path) : [];
  });
}

/** The faults that prevent saving, each with a link to its field, which may be in a folded part. */
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
