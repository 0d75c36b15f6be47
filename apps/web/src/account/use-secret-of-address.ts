import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * Reads a one-time secret from the fragment of the address, removes it from the history and keeps it for this screen.
 * Browsers send fragments neither to servers nor in referrers.
 */
export function useSecretOfAddress(name: string): string {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [secret] = useState(
    () => new URLSearchParams(hash.slice(1)).get(name) ?? new URLSearchParams(search).get(name) ?? '',
  );
  useEffect(() => {
    if (hash || new URLSearchParams(search).has(name)) void navigate(pathname, { replace: true });
  }, [hash, search, pathname, navigate, name]);
  return secret;
}
