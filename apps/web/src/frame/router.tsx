import { lazy, type ReactElement, Suspense } from 'react';
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, replace } from 'react-router';
import { meRoute } from '../account/use-me.ts';
import { configureCalls } from '../client/call.ts';
import { queries, queryOf } from '../client/queries.ts';
import { accessToken, onSignedOutElsewhere } from '../client/tokens.ts';
import { useAddress } from './embed.ts';
import type { Place } from './place.ts';
import { homeOf, places } from './places.ts';

// The entry chunk contains only what every page needs; components come with their page.
const LazyFailure = lazy(async () => ({ default: (await import('./route-failure.tsx')).RouteFailure }));
const failure = (isWhole: boolean) => (
  <Suspense>
    <LazyFailure isWhole={isWhole} />
  </Suspense>
);
const notFound = async () => ({ Component: (await import('./not-found-screen.tsx')).NotFoundScreen });

/** The path with the way back to where somebody was. */
const returning = (path: string, from: { pathname: string; search: string }): string => {
  const returnTo = `${from.pathname}${from.search}`;
  return returnTo === '/' ? path : `${path}?returnTo=${encodeURIComponent(returnTo)}`;
};

/** Without a token redirects to the sign-in, which replaces the page in the history; without a second factor that a role demands, to its set-up. */
async function signedInOnly({ request }: LoaderFunctionArgs) {
  const { isEmbed, hasToken } = useAddress.getState();
  if (isEmbed && !hasToken) return null;
  if (!(await accessToken())) {
    if (!isEmbed) throw replace(returning('/login', new URL(request.url)));
    useAddress.setState({ hasToken: false });
    return null;
  }
  const me = queries.ensureQueryData(queryOf(meRoute));
  // An embedded page shows a refused token itself.
  const { mustSetUpSecondFactor } = (await (isEmbed ? me.catch(() => null) : me)) ?? {};
  if (mustSetUpSecondFactor) throw replace(returning('/second-factor', new URL(request.url)));
  return null;
}

/** Without a token the loader of the frame redirects. */
async function home() {
  if (!(await accessToken())) return null;
  const me = await queries.ensureQueryData(queryOf(meRoute));
  return replace(homeOf(me));
}

/** Starts the requests of the screen early; without a token, which public pages do not need, the loader of the frame redirects to the sign-in. */
const askEarly =
  (ask: (address: URL) => void, access: Place['access']) =>
  ({ request }: LoaderFunctionArgs) => {
    if (access === 'public') ask(new URL(request.url));
    else
      accessToken().then(
        (token) => token && ask(new URL(request.url)),
        () => undefined,
      );
    return null;
  };

const routeOf = (place: Place): RouteObject => ({
  path: place.path,
  handle: place,
  // Not awaited: the screen picks up the answer from the query cache.
  ...(place.ask && { loader: askEarly(place.ask, place.access), shouldRevalidate: () => false }),
  lazy: async () => {
    const [Page, { PlaceFrame }] = await Promise.all([place.load(), import('./place-frame.tsx')]);
    const element: ReactElement = (
      <PlaceFrame key={place.name} place={place}>
        <Page />
      </PlaceFrame>
    );
    return { element };
  },
  errorElement: failure(false),
});
const ofLayout = (layout: Place['layout']) => places.filter((place) => place.layout === layout).map(routeOf);

export const router = createBrowserRouter([
  {
    lazy: async () => ({ Component: (await import('./default-layout.tsx')).DefaultLayout }),
    errorElement: failure(true),
    loader: signedInOnly,
    shouldRevalidate: () => false,
    HydrateFallback: () => null,
    children: [{ path: '/', loader: home, element: null }, ...ofLayout('default')],
  },
  {
    lazy: async () => ({ Component: (await import('./blank-layout.tsx')).BlankLayout }),
    errorElement: failure(true),
    HydrateFallback: () => null,
    children: [
      ...ofLayout('blank'),
      { path: '/pages/misc/not-found/:error?', lazy: notFound },
      { path: '/:error', lazy: notFound },
      { path: '*', lazy: notFound },
    ],
  },
]);

const lead = (path: string) => (): void => {
  const { location } = router.state;
  queries.clear();
  if (location.pathname !== path) void router.navigate(returning(path, location), { replace: true });
};
const toLogin = lead('/login');

configureCalls({
  onTokenInvalid: () => {
    void import('./toasts.tsx').then(({ notify }) => notify.tokenInvalid());
    toLogin();
  },
  onSecondFactorMissing: lead('/second-factor'),
  onEmbedTokenInvalid: () => useAddress.setState({ hasToken: false }),
});

/** A page that needs no sign-in stays: whoever reads a proof may have signed out of the house in another tab. */
onSignedOutElsewhere(() => {
  const place = router.state.matches.at(-1)?.route.handle as Place | undefined;
  if (place?.access !== 'public') return toLogin();
  queries.removeQueries({ type: 'inactive' });
});
