import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useLayoutEffect, useState } from 'react';
import { fetchBytes } from './call.ts';
import { CallError } from './call-error.ts';

/** Interval before an image that is still being rendered is requested again, milliseconds. */
const notReadyMilliseconds = 1500;

/** Fetches an image with the caller's token. The server may render it on the first request. */
export const pictureQuery = (address: string | null) => ({
  queryKey: ['picture', address],
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await fetchBytes(address ?? '', signal)).blob(),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 120_000,
  retry: (count: number, error: Error) =>
    error instanceof CallError && (error.status === 202 || error.status === 503) && count < 40,
  retryDelay: notReadyMilliseconds,
});

export const usePicture = (address: string | null) => useQuery({ ...pictureQuery(address), enabled: address !== null });

/** The object URLs in use. One blob has one, however often it is shown, so that the browser decodes its picture once. */
const shownBlobs = new Map<Blob, { address: string; times: number }>();

function addressOf(blob: Blob): string {
  const shown = shownBlobs.get(blob) ?? { address: URL.createObjectURL(blob), times: 0 };
  shownBlobs.set(blob, { ...shown, times: shown.times + 1 });
  return shown.address;
}

function giveBack(blob: Blob): void {
  const shown = shownBlobs.get(blob);
  if (!shown) return;
  if (shown.times > 1) return void shownBlobs.set(blob, { ...shown, times: shown.times - 1 });
  shownBlobs.delete(blob);
  URL.revokeObjectURL(shown.address);
}

/** An object URL for a blob, revoked when the last component that shows it unmounts. */
export function useBlobAddress(blob: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  // Before the next paint: a picture that is here already is in the first one.
  useLayoutEffect(() => {
    if (!blob) return setAddress(null);
    setAddress(addressOf(blob));
    return () => giveBack(blob);
  }, [blob]);
  return address;
}

type Props = Omit<ComponentProps<'img'>, 'src'> & { address: string | null; fallback?: ReactNode };

export function BlobImage({ address, fallback = null, alt = '', ...rest }: Props) {
  const { data } = usePicture(address);
  const source = useBlobAddress(data);
  return source ? <img src={source} alt={alt} {...rest} /> : fallback;
}
