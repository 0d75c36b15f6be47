import { embedTokenRoutes } from '@pdf2press/contract/calls';

/** Apart, because only embedded pages load it. */
export const exchangeRoute = embedTokenRoutes.exchange;
