import { open, type Place } from './place.ts';

/*
 * Places with reserved addresses whose screens are not built yet. Administrators see that the page is planned; others see
 * "not found". A folder with the screen also declares its places.
 */

export const others: readonly Place[] = [{ name: 'email-callback', path: '/email/callback', ...open }];
