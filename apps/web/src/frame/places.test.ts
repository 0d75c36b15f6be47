import { featureKeys } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { featureOf } from '../workflows/step-kinds.ts';
import { places } from './places.ts';

/** Addresses that links and bookmarks rely on: name, path, and `public` for pages without sign-in. */
const promised = `
archiving /archiving
archiving-form /archiving/:action/:id?
arrivals /arrivals
audit /audit
backups /backups
client-proofing /client-proofing/:sessionId/:proofStepId public
client-proofing-preview /proofing-preview public
cloud-storage /cloud-storage
cloud-storage-form /cloud-storage/:action/:id?
cloud-storage-callback /cloud-storage/callback public
communication /communication
communication-form /communication/:action/:id?
dashboard /dashboard
delivered /delivered/:secret public
delivery /delivery
delivery-form /delivery/:action/:id?
demo /demo public
demo-old /demonstration public
email /email
email-form /email/:action/:id?
email-callback /email/callback public
feedback /feedback
fix /fix
fix-form /fix/:action/:id?
fonts /fonts
forgot-password /forgot-password public
host /host
host-form /host/:action/:id?
impose /impose
impose-form /impose/:action/:id?
login /login public
notification /notification
organization /organization
organization-form /organization/:action/:id?
persons /persons
preflight /preflight
preflight-form /preflight/:action/:id?
proofing /proofing
proofing-form /proofing/:action/:id?
rename /rename
rename-form /rename/:action/:id?
reset-password /reset-password public
releases /releases
retention /retention
retention-form /retention/:action/:id?
retention-files-details-id /retention/details/:id/:session?
role /role
role-form /role/:action/:id?
setup /setup public
settings /settings
test /test
upload /upload/:user public
user /user
user-form /user/:action/:id?
my-profile /user/my-profile
workflows /workflows
workflow-form /workflows/:action/:id?
second-factor /second-factor public
session-view /workflows/session/:id
sessions /workflows/sessions
sftp-servers /sftp-servers
sftp-servers-form /sftp-servers/:action/:id?
webhooks /webhooks
`.trim();
test('every public address exists once, with its name, layout and access', () => {
  const shown = places.map(({ name, path, layout, access }) => {
    expect(access === 'public', name).toBe(layout === 'blank');
    return [name, path, ...(access === 'public' ? ['public'] : [])].join(' ');
  });
  expect(shown.sort()).toEqual(promised.split('\n').sort());
});

test('every place has its screen', () => {
  const missing = places.filter(({ load }) => !load).map(({ name }) => name);
  expect(missing).toEqual([]);
});

test('a form has the navigation entry, the permissions and the feature of its list', () => {
  for (const form of places.filter(({ path }) => path.includes('/:action'))) {
    const list = places.find(({ path }) => path === form.path.slice(0, form.path.indexOf('/:action')));
    expect([form.nav, form.access, form.feature], form.name).toEqual([list?.nav, list?.access, list?.feature]);
  }
});

test('only the own profile, the notifications and the feedback are open without a permission', () => {
  const own = places.filter(({ access }) => access === 'signedIn').map(({ name }) => name);
  expect(own.sort()).toEqual(['feedback', 'my-profile', 'notification']);
});

test('lists use the whole width', () => {
  const lists = places.filter(
    (place) => place.layout === 'default' && /^\/(workflows\/sessions|workflows|preflight|user|role)$/.test(place.path),
  );
  expect(lists.map((place) => place.width)).toEqual(Array(5).fill('fluid'));
});

test('every feature of the plan has a page that says when it is missing, but the one that is only a step of the builder', () => {
  const named = new Set(places.flatMap(({ feature }) => feature ?? []));
  expect(featureKeys.filter((key) => !named.has(key))).toEqual(['ActionStep']);
  expect(featureOf('Action')).toBe('ActionStep');
});
