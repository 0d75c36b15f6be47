import type { RouteResult } from '@pdf2press/contract';
import type { arrivalRoutes } from '@pdf2press/contract/calls';
import { create } from 'zustand';

export type Arrived = RouteResult<typeof arrivalRoutes.get>;

/** A file that the server fetches from its address. */
export interface Fetch {
  arrivalId: string;
  address: string;
  /** What became of it until now; null = not asked yet. */
  arrived: Arrived | null;
}

export const useFetches = create<{ fetches: readonly Fetch[] }>(() => ({ fetches: [] }));
