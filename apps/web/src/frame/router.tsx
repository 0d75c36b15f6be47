import type { ReactElement } from 'react';
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, replace } from 'react-router';
import { meRoute } from '../account/use-me.ts';
import { configureCalls } from '../client/call.ts';
import { queries, queryOf } from '../client/queries.ts';
import { accessToken, onSignedOutElsewhere } from '../client/tokens.ts';
import { BlankLayout } from './blank-layout.tsx';
import { DefaultLayout } from './default-layout.tsx';
import { useAddress } from './embed.ts';
import { NotFoundScreen } from './not-found-screen.tsx';
import { NotYetScreen } from './not-yet-screen.tsx';
import { PlaceFrame } from './place-frame.tsx';
import { homePath, type Place, places } from './places.ts';
import { RouteFailure } from './route-failure.tsx';
import { notify } from './toasts.tsx';

const loginPath = (from: { pathname: string; search: string }): string => {
  const returnTo = `${from.pathname}${from.search}`;
  return returnTo === '/' || returnTo === homePath ? '/login' : `/login?returnTo=${encodeURIComponent(returnTo)}`;
};

/** Lets nobody in without a token; the sign-in takes the place of the page in history (specification §2). */
async function signedInOnly({ request }: LoaderFunctionArgs) {
  const { isEmbed, hasToken } = useAddress.getState();
  if (isEmbed && !hasToken) return null;
  if (!(await accessToken())) throw replace(loginPath(new URL(request.url)));
  await queries.ensureQueryData(queryOf(meRoute));
  return null;
}

const routeOf = (place: Place): RouteObject => ({
  path: place.path,
  handle: place,
  lazy: async () => {
    const Page = place.load ? await place.load() : NotYetScreen;
    return { element: framed(place, <Page />) };
  },
  errorElement: <RouteFailure />,
});
const framed = (place: Place, page: ReactElement) => (
  <PlaceFrame key={place.name} place={place}>
    {page}
  </PlaceFrame>
);
const ofLayout = (layout: Place['layout']) => places.filter((place) => place.layout === layout).map(routeOf);

export const router = createBrowserRouter([
  {
    element: <DefaultLayout />,
    errorElement: <RouteFailure isWhole />,
    loader: signedInOnly,
    shouldRevalidate: () => false,
    HydrateFallback: () => null,
    children: [{ path: '/', loader: () => replace('/dashboard') }, ...ofLayout('default')],
  },
  {
    element: <BlankLayout />,
    errorElement: <RouteFailure isWhole />,
    HydrateFallback: () => null,
    children: [
      ...ofLayout('blank'),
      { path: '/pages/misc/not-found/:error?', element: <NotFoundScreen /> },
      { path: '/:error', element: <NotFoundScreen /> },
      { path: '*', element: <NotFoundScreen /> },
    ],
  },
]);

function toLogin(): void {
  const { location } = router.state;
  queries.clear();
  if (location.pathname !== '/login') void router.navigate(loginPath(location), { replace: true });
}

configureCalls({
  onTokenInvalid: () => {
    notify.tokenInvalid();
    toLogin();
  },
});
onSignedOutElsewhere(toLogin);
