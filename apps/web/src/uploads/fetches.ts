import { sessionRoutes } from '@pdf2press/contract/calls';
import { call } from '../client/call.ts';
import type { HandIn } from './upload-queue.ts';
import { type Arrived, type Fetch, useUploads } from './upload-state.ts';

export const noteArrived = (arrivalId: string, arrived: Arrived): void =>
  useUploads.setState(({ fetches }) => ({
    fetches: fetches.map((one) => (one.arrivalId === arrivalId ? { ...one, arrived } : one)),
  }));

export const forgetFetch = (arrivalId: string): void =>
  useUploads.setState(({ fetches }) => ({ fetches: fetches.filter((one) => one.arrivalId !== arrivalId) }));

/** Whether it comes; one whose last try failed is tried again by the server, and nobody needs to wait for it. */
export const isComing = ({ arrived }: Fetch): boolean =>
  arrived === null || (arrived.outcome === 'waiting' && arrived.why === null);

export const forgetFetched = (): void =>
  useUploads.setState(({ fetches }) => ({ fetches: fetches.filter((one) => isComing(one)) }));

/** Whether something may still become of it. */
export const isOpen = ({ arrived }: Fetch): boolean => arrived === null || arrived.outcome === 'waiting';

/** The addresses in a text, one in a line. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/\s+/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

/** Hands addresses in; resolves to those that were refused, each with the reason. */
export async function handInAddresses(
  addresses: readonly string[],
  { workflowId, organizationId, variables }: HandIn,
): Promise<{ address: string; reason: string }[]> {
  if (addresses.length === 0) return [];
  const items = addresses.map((fileUrl) => ({
    workflowId,
    fileUrl,
    variables,
    ...(organizationId !== undefined && { organizationId }),
  }));
  const answers = await call(sessionRoutes.createMany, { body: { items } });
  const both = answers.map((answer, at) => ({ ...answer, address: addresses[at] ?? '' }));
  const taken = both.flatMap(({ created, address }) =>
    created?.arrivalId ? [{ arrivalId: created.arrivalId, address, arrived: null }] : [],
  );
  useUploads.setState(({ fetches }) => ({ fetches: [...fetches, ...taken] }));
  return both.flatMap(({ errors: [error], address }) => (error ? [{ address, reason: error.message }] : []));
}
