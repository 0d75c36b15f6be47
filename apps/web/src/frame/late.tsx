import { type ComponentType, lazy } from 'react';
import { notify } from './toasts.tsx';

/**
 * Menus, popovers and tooltips are in a chunk that loads after the page has rendered, and mount when first opened: a
 * list has a menu in every row and most are never opened.
 */
const fetchFloating = () => import('./floating.tsx');

/** Preloads the chunk. A failure is ignored here: opening tries again and reports it. */
export const expectFloating = (): void => void fetchFloating().catch(() => undefined);

type Floating = Awaited<ReturnType<typeof fetchFloating>>;

/** A component of that chunk; mount it only after `whenFloating` has called back. */
export const floating = <Name extends keyof Floating>(name: Name) =>
  lazy(async () => ({ default: (await fetchFloating())[name] as ComponentType<Parameters<Floating[Name]>[0]> }));

/** Calls back when the chunk has loaded; a failure is shown as a toast. */
export const whenFloating = (then: () => void): void => void fetchFloating().then(then, notify.failure);
