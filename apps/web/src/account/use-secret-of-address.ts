import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

/** Takes a one-time secret out of the address and keeps it for this screen only: history and referrers never see it. */
export function useSecretOfAddress(name: string): string {
  const [search, setSearch] = useSearchParams();
  const [secret] = useState(() => search.get(name) ?? '');
  useEffect(() => {
    if (!search.has(name)) return;
    const kept = new URLSearchParams(search);
    kept.delete(name);
    setSearch(kept, { replace: true });
  }, [search, setSearch, name]);
  return secret;
}
