import { embedTokenRoutes } from '@pdf2press/contract/calls';

/** In its own module because only embedded pages load it. */
export const exchangeRoute = embedTokenRoutes.exchange;
