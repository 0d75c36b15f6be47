import type { Call } from '@pdf2press/contract';
import { clientProofRoutes as routes } from '@pdf2press/contract/calls';
import i18next from 'i18next';
import { keyOf, queries, queryOf } from '../client/queries.ts';
import { languageKnown } from '../language/language.ts';

/** Sentences come from the server, so each language has answers of its own. */
export const keyIn = (language: string, route: Call, input: object): readonly unknown[] => [
  ...keyOf(route, input),
  language,
];

/** Prefetches a proof and the pages of its file, while the chunk of the screen loads. */
export function askForProof({ pathname }: URL): void {
  const [, , sessionId = '', proofStepId = ''] = pathname.split('/');
  const params = { sessionId, proofStepId };
  // What is wrong with the link, or not drawn yet, the screen finds out when it asks for the same.
  const pages = queryOf(routes.pages, { params, query: { version: 'production' } });
  void queries.prefetchQuery({ ...pages, retry: false });
  void languageKnown.then(() =>
    queries.prefetchQuery({
      ...queryOf(routes.get, { params }),
      queryKey: keyIn(i18next.language, routes.get, { params }),
    }),
  );
}
