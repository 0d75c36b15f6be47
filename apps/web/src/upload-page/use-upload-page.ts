import { uploadPageRoutes as routes } from '@pdf2press/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../client/call.ts';
import { keptVisit } from './kept-visit.ts';
import { comeTo } from './visit.ts';

/** The code in the part of the address that no server sees, and which is then taken out of it. */
function codeOfAddress(): string {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code') ?? '';
  if (code) history.replaceState(history.state, '', window.location.pathname + window.location.search);
  return code;
}

/** What the page offers; a private one once its code is known. */
export function useUploadPage(slug: string) {
  const [code, setCode] = useState(() => codeOfAddress() || keptVisit(slug)?.code || '');
  const query = useQuery({
    queryKey: ['upload page', slug, code],
    queryFn: () => call(routes.open, { params: { slug }, body: { code } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isOpen = query.data !== undefined;
  useEffect(() => {
    if (isOpen) void comeTo(slug, code);
  }, [isOpen, slug, code]);
  return { query, code, setCode };
}
