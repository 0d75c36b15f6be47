import { useRef } from 'react';

/** Not every address that a page may have offers `randomUUID`, which needs a secure connection. */
const newKey = (): string => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

/**
 * The key of what is sent: the same while the same is sent again, after an answer was lost or by a second click. Once it is
 * forgotten, the same words are something new.
 */
export function useRequestKey(): { keyOf: (given: unknown) => string; forget: () => void } {
  const last = useRef<{ text: string; key: string } | null>(null);
  return {
    keyOf: (given) => {
      const text = JSON.stringify(given);
      if (last.current?.text !== text) last.current = { text, key: newKey() };
      return last.current.key;
    },
    forget: () => {
      last.current = null;
    },
  };
}
