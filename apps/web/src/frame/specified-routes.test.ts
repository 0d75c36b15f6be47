import { matchPath } from 'react-router';
import { expect, test } from 'vitest';
import { places } from './places.ts';

/**
 * The specification's table of screens: names, and an address that each row promises. `/` leads to the dashboard and
 * `/{error}` is the page of what is not found: the journeys hold these two.
 */
const rows: Readonly<Record<string, readonly string[]>> = {
  'client-proofing': ['/client-proofing/1/2'],
  'cloud-storage': ['/cloud-storage'],
  'cloud-storage-form': ['/cloud-storage/new', '/cloud-storage/edit/1'],
  'cloud-storage-callback': ['/cloud-storage/callback'],
  communication: ['/communication'],
  'communication-form': ['/communication/new', '/communication/edit/1'],
  dashboard: ['/dashboard'],
  demo: ['/demo'],
  'demo-old': ['/demonstration'],
  email: ['/email'],
  'email-form': ['/email/new', '/email/edit/1'],
  'email-callback': ['/email/callback'],
  fix: ['/fix'],
  'fix-form': ['/fix/new', '/fix/edit/1'],
  'forgot-password': ['/forgot-password'],
  impose: ['/impose'],
  'impose-form': ['/impose/new', '/impose/edit/1'],
  login: ['/login'],
  notification: ['/notification'],
  organization: ['/organization'],
  'organization-form': ['/organization/new', '/organization/edit/1'],
  preflight: ['/preflight'],
  'preflight-form': ['/preflight/new', '/preflight/edit/1'],
  proofing: ['/proofing'],
  'proofing-form': ['/proofing/new', '/proofing/edit/1'],
  rename: ['/rename'],
  'reset-password': ['/reset-password'],
  retention: ['/retention'],
  'retention-form': ['/retention/new', '/retention/edit/1'],
  'retention-files-details-id': ['/retention/details/1', '/retention/details/1/2'],
  role: ['/role'],
  'role-form': ['/role/new', '/role/edit/1'],
  settings: ['/settings'],
  test: ['/test'],
  upload: ['/upload/somebody'],
  user: ['/user'],
  'user-form': ['/user/new', '/user/edit/1'],
  'my-profile': ['/user/my-profile'],
  workflows: ['/workflows'],
  'workflow-form': ['/workflows/new', '/workflows/edit/1'],
  'session-view': ['/workflows/session/1'],
  sessions: ['/workflows/sessions'],
};

/** How exactly an address is named: a fixed part before a parameter, as the router ranks them. */
const fixedParts = (path: string): number =>
  path.split('/').filter((part) => part !== '' && !part.startsWith(':')).length;

/** The place that an address opens. */
const openedBy = (address: string) =>
  places
    .filter(({ path }) => matchPath(path, address))
    .sort((one, other) => fixedParts(other.path) - fixedParts(one.path))[0];

test.each(Object.entries(rows))('%s opens its screen', (name, addresses) => {
  for (const address of addresses) {
    const place = openedBy(address);
    expect(place?.name, address).toBe(name);
    expect(place?.load !== undefined, address).toBe(true);
  }
});
