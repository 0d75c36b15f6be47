import { embedTokenRoutes } from '@pdf2press/contract';

/** Apart, because only embedded pages load it. */
export const exchangeRoute = embedTokenRoutes.exchange;
