import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * Takes a one-time secret out of the address' fragment and keeps it for this screen only. Servers and referrers never see
 * a fragment; history does not keep it either.
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
