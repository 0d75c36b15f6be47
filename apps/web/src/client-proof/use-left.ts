import { type FocusEvent, useState } from 'react';

/**
 * Fields that somebody has been in and left: what they lack is said then, and not only when the form is sent. A press on a
 * button is no leaving: the words would move the button away from under the pointer.
 */
export function useLeft<Field extends string>() {
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const leaving = (field: Field) => ({
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof HTMLElement && relatedTarget.matches('button:active')) return;
      setLeft((before) => new Set(before).add(field));
    },
  });
  return { left, leaving };
}
