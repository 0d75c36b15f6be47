import { expect, test } from 'vitest';
import { places } from './places.ts';

/** Every path of the specification §2; `/user/my-profile` and the others are routes of their own. */
const specified =
  `/client-proofing/:sessionId/:proofStepId /cloud-storage /cloud-storage/:action/:id? /cloud-storage/callback
/communication /communication/:action/:id? /dashboard /demo /demonstration /email /email/:action/:id? /email/callback
/fix /fix/:action/:id? /forgot-password /impose /impose/:action/:id? /login /notification /organization
/organization/:action/:id? /preflight /preflight/:action/:id? /proofing /proofing/:action/:id? /rename /reset-password
/retention /retention/:action/:id? /retention/details/:id/:session? /role /role/:action/:id? /settings /test
/upload/:user /user /user/:action/:id? /user/my-profile /workflows /workflows/:action/:id? /workflows/session/:id
/workflows/sessions`.split(/\s+/);

const publicPaths = [
  '/login',
  '/forgot-password',
  '/reset-password',
  '/setup',
  '/demo',
  '/demonstration',
  '/upload/:user',
].concat(['/client-proofing/:sessionId/:proofStepId', '/cloud-storage/callback', '/email/callback']);

test('every route of the specification is there once', () => {
  const paths = places.map((place) => place.path);
  expect([...paths].sort()).toEqual([...specified, '/setup'].sort());
});

test('exactly the public pages ask for no token, and they alone are blank', () => {
  expect(
    places
      .filter((place) => place.access === 'public')
      .map((place) => place.path)
      .sort(),
  ).toEqual([...publicPaths].sort());
  expect(places.every((place) => (place.layout === 'blank') === (place.access === 'public'))).toBe(true);
});

test('lists use the whole width', () => {
  const lists = places.filter(
    (place) => place.layout === 'default' && /^\/(workflows\/sessions|workflows|preflight|user|role)$/.test(place.path),
  );
  expect(lists.map((place) => place.width)).toEqual(Array(5).fill('fluid'));
});
