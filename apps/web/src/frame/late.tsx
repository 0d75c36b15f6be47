import { type ComponentType, lazy } from 'react';
import { notify } from './toasts.tsx';

/**
 * What floats (menus, popovers, hints) is fetched once the page stands and drawn when it is first asked for: a list has
 * a menu in every row and the frame three, and nobody opens most of them. The buttons are there from the start.
 */
const fetchFloating = () => import('./floating.tsx');

/** Fetched while there is a network: there may be none when it is wanted. A failure now is no failure yet. */
export const expectFloating = (): void => void fetchFloating().catch(() => undefined);

type Floating = Awaited<ReturnType<typeof fetchFloating>>;

/** One of the floating parts; drawn after `whenFloating` has called. */
export const floating = <Name extends keyof Floating>(name: Name) =>
  lazy(async () => ({ default: (await fetchFloating())[name] as ComponentType<Parameters<Floating[Name]>[0]> }));

/** Calls when the floating parts are there; a network that is gone is told as such. */
export const whenFloating = (then: () => void): void => void fetchFloating().then(then, notify.failure);
