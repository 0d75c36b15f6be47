import { expect, type Page } from 'playwright/test';
import { makeHoldingWorkflow, openHeld } from './holding.ts';
import { ask, patience, sampleWorkflow, tokenOf } from './house.ts';
import { makePdf } from './make-pdf.ts';

/** A screen or a state of one. */
export interface Look {
  name: string;
  path: string;
  /** Replaces data that differ between runs, before the page is opened. */
  given?: (page: Page) => Promise<unknown>;
  /** Creates the state. */
  act?: (page: Page) => Promise<void>;
  isPublic?: boolean;
  /** Further states of a screen: two of the combinations are enough. */
  isState?: boolean;
  /** A canvas, which is shown by the width that it opens at: opened anew at each, with the pointer beside it. */
  isCanvas?: boolean;
  /** Widths in place of the usual ones. */
  widths?: readonly number[];
}

export const files = ['Spring catalogue.pdf', 'Business card Ann Weber.pdf', 'Poster open day.pdf'];
export const broken = 'Menu card from fax.pdf';

const open = (name: string) => async (page: Page) => {
  await page.getByRole('link', { name, exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
};
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
};
/** Where cards find their places as they come, how far a page is scrolled to a button is another with each run. */
const pressUnscrolled = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name }).evaluate((button: HTMLElement) => button.click());
  await expect(page.getByRole('dialog', { name })).toBeVisible();
};
const keys =
  (...pressed: string[]) =>
  async (page: Page) => {
    for (const key of pressed) await page.keyboard.press(key);
  };
/** Waits until the page and its thumbnails are rendered. */
const drawn = async (page: Page, thumbnails = 0) => {
  const stage = page.getByRole('group', { name: /^Page \d/ });
  await expect(stage).toBeVisible();
  // The worker renders pages after its other work.
  await expect(page.getByText('being rendered')).toHaveCount(0, { timeout: patience });
  await expect(stage.locator('img[class*=tile]').first()).toBeVisible({ timeout: patience });
  await expect(page.getByRole('navigation', { name: 'Pages' }).locator('img')).toHaveCount(thumbnails);
};
const drawnPage = async (page: Page) => {
  await open(files[0] as string)(page);
  await drawn(page, 3);
};

let gone = '';
const holding = 'Hold for the paper';
/** A session on hold: created once, then opened again. */
const held = async (page: Page) => {
  const { items } = await ask<{ items: { id: string }[] }>(page, 'GET', '/sessions?search=Invitation');
  if (!items[0]) return openHeld(page, await makeHoldingWorkflow(page, holding), 'Invitation Ann and Joe.pdf');
  await page.goto(`/workflows/session/${items[0].id}`);
  await expect(page.getByRole('region', { name: 'On hold' })).toBeVisible();
};
const drawnHeld = async (page: Page) => {
  await held(page);
  await drawn(page);
};

const marked = 'Invitation with marks.pdf';
let fixed = '';
/** A session with a fix step and no preflight: created once, then opened again. */
const drawnFixed = async (page: Page) => {
  if (!fixed) {
    const actions = [{ key: 'AddTrimMarks', settings: { marks: ['crop', 'registration', 'colorBar'] } }];
    const answer = await page.request.post('/api/trials', {
      headers: { authorization: `Bearer ${await tokenOf(page)}` },
      multipart: {
        kind: 'fix',
        settings: JSON.stringify({ actions }),
        file: { name: marked, mimeType: 'application/pdf', buffer: makePdf([marked]) },
      },
    });
    fixed = ((await answer.json()) as { result: { id: string } }).result.id;
    // A trial is followed by whoever asked for it: its page does not.
    const statusOf = async () => (await ask<{ status: string }>(page, 'GET', `/sessions/${fixed}`)).status;
    await expect.poll(statusOf, { timeout: patience }).toMatch(/^Completed/);
  }
  await page.goto(`/workflows/session/${fixed}`);
  await page.getByText('Compare', { exact: true }).click({ timeout: patience });
  await bothDrawn(page);
};
/** Waits until two versions of a page are rendered. */
const bothDrawn = async (page: Page) => {
  for (const version of ['Original', 'Production']) {
    const tile = page
      .getByRole('group', { name: `${version}, page 1` })
      .locator('img[class*=tile]')
      .first();
    await expect(tile).toBeVisible({ timeout: patience });
  }
};
const compared = (mode: string, isThere: (page: Page) => Promise<void>) => async (page: Page) => {
  await drawnFixed(page);
  await page.getByText(mode, { exact: true }).click();
  await isThere(page);
};
/** The form of a fix profile with an action and the result of a trial. */
const tried = async (page: Page) => {
  await page.getByRole('combobox', { name: 'Add an action' }).click();
  await page.getByRole('option', { name: 'Add trim marks' }).click();
  const folded = page.getByText('Preview and trial');
  if (await folded.isVisible()) await folded.click();
  await page
    .locator('aside input[type=file]')
    .setInputFiles({ name: marked, mimeType: 'application/pdf', buffer: makePdf([marked]) });
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByText(/MediaBox is now/).first()).toBeVisible({ timeout: patience });
  await bothDrawn(page);
};
const aSession = (kind: string, name: string) => async (page: Page) => {
  await open(files[0] as string)(page);
  const details = page.getByRole('tab', { name: 'Details' });
  if (await details.isVisible()) await details.click();
  await page.getByRole('tab', { name: kind }).click();
  await expect(page.getByText(name).first()).toBeVisible();
};

/** One fixed signed-in session; a run creates more of them. */
const signedInOnce = (page: Page) =>
  page.route('**/api/me/sessions', (route) =>
    route.fulfill({
      json: {
        success: true,
        result: [
          {
            id: 'one',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0',
            ip: '192.0.2.7',
            createdAt: '2026-11-21T09:00:00.000Z',
            lastSeenAt: '2026-11-21T09:00:00.000Z',
            isCurrent: true,
          },
        ],
      },
    }),
  );

/** A fixed amount of stored data; it differs between runs. */
/** The data folder of each run has a name of its own. */
const backedUpSomewhere = (page: Page) =>
  page.route('**/api/host/backups', async (route) => {
    const answer = await route.fetch();
    const { result, ...rest } = (await answer.json()) as { result: object };
    await route.fulfill({
      response: answer,
      json: { ...rest, result: { ...result, folder: '/srv/pdf2press/backups' } },
    });
  });
const storedOnce = (page: Page) =>
  page.route('**/api/SystemSettings/storage-metrics', (route) =>
    route.fulfill({
      json: {
        success: true,
        result: {
          totalBytes: 5_242_880_000,
          fileCount: 1_284,
          byKind: [
            { kind: 'OriginalFile', bytes: 2_831_155_200, files: 412 },
            { kind: 'ProductionFile', bytes: 1_835_008_000, files: 398 },
            { kind: 'OriginalFileThumbnails', bytes: 576_716_800, files: 474 },
          ],
          diskFreeBytes: 214_748_364_800,
        },
      },
    }),
  );

/** Answers a read of the API with the same result in every run. */
const answered = (path: string | RegExp, result: object) => (page: Page) =>
  page.route(path, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { success: true, result, errors: [] } })
      : route.fallback(),
  );

const gigabyte = 1024 ** 3;
const outcomesOf = (day: number) => ({
  Completed: (day * 7) % 19,
  CompletedWithWarnings: (day * 5) % 7,
  Failed: day % 3,
  OnHold: day % 2,
});
const november = Array.from({ length: 30 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')}T00:00:00.000Z`);
const counted = november.slice(0, 21).map((from, at) => ({ from, outcomes: outcomesOf(at + 1) }));
const whole = { Completed: 189, CompletedWithWarnings: 61, Failed: 21, OnHold: 11 };
const times = (seconds: number) => ({
  count: 40,
  totalMs: seconds * 40_000,
  p50Ms: seconds * 800,
  p95Ms: seconds * 3_000,
});
/** A house that has worked for three weeks of a month. */
const dashboardOnce = async (page: Page) => {
  await answered(/\/api\/dashboard\?/, {
    period: 'thisMonth',
    from: november[0],
    to: '2026-12-01T00:00:00.000Z',
    isRunning: true,
    previous: {
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-10-22T00:00:00.000Z',
      outcomes: { Completed: 201, Failed: 30 },
    },
    outcomes: whole,
    unit: 'day',
    parts: november.map((from, at) => counted[at] ?? { from, outcomes: {} }),
    savings: {
      averagePrepressTime: 12,
      laborCostPerHour: 35,
      estimatedPrepressLaborCost: 7,
      files: 250,
      minutes: 3_000,
      cost: 1_750,
      previousMinutes: 2_412,
      previousCost: 1_407,
    },
    needsYou: { onHold: 11, failed: 6, proofs: { waiting: 8, overdue: 3, unreached: 1 } },
    findings: [
      { check: 'Bleed', rule: 'bleed.missing', label: 'Bleed is missing', severity: 'Fail', files: 48 },
      { check: 'Images', rule: 'images.resolution', label: 'Image resolution is too low', severity: 'Warn', files: 31 },
      { check: 'Fonts', rule: 'fonts.notEmbedded', label: 'Font is not embedded', severity: 'Fail', files: 12 },
    ],
    steps: [
      { kind: 'Proof', machine: times(1), people: times(90) },
      { kind: 'Preflight', machine: times(9), people: null },
      { kind: 'Impose', machine: times(4), people: null },
    ],
    workflows: [
      { id: 'wfl_1', name: 'Business cards', files: 140, failed: 9 },
      { id: 'wfl_2', name: 'Posters', files: 96, failed: 12 },
      { id: 'wfl_3', name: 'Brochures', files: 46, failed: 0 },
    ],
    organizations: [
      { id: 'org_1', name: 'Bakery Weber', files: 60, failed: 14 },
      { id: '', name: null, files: 180, failed: 7 },
    ],
    storage: {
      measuredAt: '2026-11-21T09:00:00.000Z',
      months: [120, 151, 182].map((size, at) => ({
        month: `2026-${at + 9 < 10 ? '0' : ''}${at + 9}`,
        bytes: size * gigabyte,
      })),
    },
    choices: { workflows: [], organizations: [{ id: 'org_1', name: 'Bakery Weber' }] },
  })(page);
  await answered('**/api/SystemSettings/plan', {
    plan: {
      name: 'Medium',
      quotas: { sessionsPerMonth: null, storageBytes: null, users: null, uploadBytes: null },
      storage: { includedBytes: 200 * gigabyte, pricePerGb: 2, currency: 'EUR' },
    },
    usage: { sessionsPerMonth: 282, storageBytes: 182 * gigabyte, users: 6 },
    overage: { measuredAt: '2026-11-21T09:00:00.000Z', bytes: 182 * gigabyte, months: [], expectedCost: 0 },
  })(page);
};

const customersOnce = answered(/\/api\/organizations\?/, {
  items: [
    {
      id: 'org_1',
      name: 'Bakery Weber',
      color: '#a4508b',
      isPublic: true,
      hasCode: false,
      workflowCount: 2,
      memberCount: 3,
      sessionCount: 60,
    },
    {
      id: 'org_2',
      name: 'City library',
      color: '',
      isPublic: true,
      hasCode: true,
      workflowCount: 1,
      memberCount: 1,
      sessionCount: 12,
    },
    {
      id: 'org_3',
      name: 'Sports club',
      color: '#1d63ad',
      isPublic: false,
      hasCode: false,
      workflowCount: 0,
      memberCount: 0,
      sessionCount: 0,
    },
  ].map((one) => ({ ...one, pageLogo: null, address: null, createdAt: '2026-11-02T09:00:00.000Z' })),
  total: 3,
  page: 1,
  pageSize: 25,
});

/** Files that are due at a day far from today: the strip of days shows what is past its time today. */
const dueOnce = answered(/\/api\/retention\/due\?/, {
  items: ['Spring catalogue.pdf', 'Poster open day.pdf'].map((fileName, at) => ({
    sessionId: `ses_${at}`,
    fileName,
    workflow: 'Brochures',
    part: at === 0 ? 'source' : 'final',
    dueAt: '2026-11-30T09:00:00.000Z',
    bytes: (at + 1) * 48_000_000,
    policy: at === 0 ? { id: 'prf_1', name: 'Two weeks' } : null,
    isHeld: false,
  })),
  total: 2,
  page: 1,
  pageSize: 25,
  days: [],
});

/** All that is looked at. */
export const looks: readonly Look[] = [
  { name: 'login', path: '/login', isPublic: true },
  { name: 'login-errors', path: '/login', isPublic: true, isState: true, act: press('Sign in') },
  { name: 'forgot-password', path: '/forgot-password', isPublic: true },
  { name: 'reset-password', path: '/reset-password#token=abc', isPublic: true },
  { name: 'reset-password-lost', path: '/reset-password', isPublic: true, isState: true },
  { name: 'second-factor', path: '/second-factor', isPublic: true },
  { name: 'not-found', path: '/no-such-page', isPublic: true },
  { name: 'demo', path: '/demo', isPublic: true },
  { name: 'proof-preview', path: '/proofing-preview', isPublic: true },
  {
    name: 'proof-preview-copy',
    path: '/proofing-preview',
    isPublic: true,
    // As the form around the frame tells of its profile.
    act: async (page) => {
      const settings = { allowDownload: 'lowResolution', watermark: 'Proof {{proof.version}} for {{recipient.name}}' };
      await page.evaluate(
        (given) =>
          postMessage(
            {
              policy: 'ConfirmIfError',
              house: { title: 'pdf2press', organization: null },
              screen: 'copy',
              settings: given,
            },
            location.origin,
          ),
        settings,
      );
      await page.getByRole('img', { name: 'Proof 1 for Anna Weber' }).waitFor();
    },
  },
  { name: 'delivered-unknown', path: `/delivered/${'x'.repeat(43)}`, isPublic: true, isState: true },
  { name: 'embed-refused', path: '/workflows/sessions?embed=true', isPublic: true, isState: true },
  { name: 'dashboard', path: '/dashboard', given: dashboardOnce },
  { name: 'sessions', path: '/workflows/sessions' },
  { name: 'sessions-no-match', path: '/workflows/sessions?search=nothing-like-it', isState: true },
  {
    name: 'sessions-chosen',
    path: '/workflows/sessions',
    isState: true,
    act: async (page) =>
      page
        .getByRole('checkbox', { name: /^Select/ })
        .nth(1)
        .check(),
  },
  { name: 'sessions-filter', path: '/workflows/sessions', isState: true, act: press('Status') },
  { name: 'sessions-menu', path: '/workflows/sessions', isState: true, act: press(`Actions for ${broken}`) },
  { name: 'new-session', path: '/workflows/sessions', isState: true, act: press('New session') },
  { name: 'palette', path: '/workflows/sessions', isState: true, act: keys('Control+k') },
  { name: 'shortcuts', path: '/workflows/sessions', isState: true, act: keys('?') },
  {
    name: 'appearance',
    path: '/workflows/sessions',
    isState: true,
    act: async (page) => {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Appearance' }).click();
      await expect(page.getByRole('dialog', { name: 'Appearance' })).toBeVisible();
    },
  },
  // Just below and just above where the navigation becomes an overlay.
  { name: 'frame', path: '/workflows/sessions', widths: [975, 977], isState: true },
  { name: 'session', path: '/workflows/sessions', act: drawnPage },
  { name: 'session-log', path: '/workflows/sessions', isState: true, act: aSession('Log', 'Session created') },
  { name: 'session-files', path: '/workflows/sessions', isState: true, act: aSession('Files', 'preflight.json') },
  { name: 'session-failed', path: '/workflows/sessions', isState: true, act: open(broken) },
  {
    name: 'session-on-workflow',
    path: '/workflows/sessions',
    isCanvas: true,
    act: async (page) => {
      await open(files[0] as string)(page);
      await page.getByRole('link', { name: 'Show on the workflow' }).click();
      // Its steps are hidden until the canvas has measured them; a phone has the list.
      await expect(page.locator('.react-flow__node').or(page.getByText('Done')).first()).toBeVisible();
    },
  },
  {
    name: 'confirm',
    path: '/workflows/sessions',
    isState: true,
    act: async (page) => {
      await press(`Actions for ${broken}`)(page);
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' })).toBeVisible();
    },
  },
  {
    name: 'failure',
    path: '/workflows/sessions',
    isState: true,
    act: async (page) => {
      await page.route('**/api/roles*', (route) => route.fulfill({ status: 500, body: '' }));
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder(/^Search pages/).fill('roles');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Unknown Error: Server returns error without message.')).toBeVisible();
      await page.unroute('**/api/roles*');
    },
  },
  { name: 'arrivals', path: '/arrivals' },
  { name: 'workflows', path: '/workflows' },
  {
    name: 'workflow',
    path: '/workflows',
    isCanvas: true,
    act: async (page) => {
      await page.getByRole('link', { name: sampleWorkflow }).first().click();
      // A phone has the list.
      const inList = page.getByRole('list', { name: 'Steps of the workflow' }).locator('> li');
      await expect(page.locator('.react-flow__node').or(inList)).toHaveCount(3);
    },
  },
  { name: 'new-workflow', path: '/workflows', isState: true, act: press('New workflow') },
  { name: 'preflight', path: '/preflight' },
  { name: 'preflight-form', path: '/preflight/new' },
  { name: 'fix', path: '/fix' },
  { name: 'fix-form', path: '/fix/new' },
  { name: 'fonts', path: '/fonts' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'impose', path: '/impose' },
  { name: 'impose-form', path: '/impose/new' },
  { name: 'users', path: '/user' },
  { name: 'user-form', path: '/user/new' },
  { name: 'user-form-errors', path: '/user/new', isState: true, act: press('Save') },
  { name: 'roles', path: '/role' },
  { name: 'role-form', path: '/role/new' },
  { name: 'organizations', path: '/organization', given: customersOnce },
  { name: 'organization-form', path: '/organization/new' },
  { name: 'persons', path: '/persons' },
  { name: 'retention', path: '/retention', isState: true },
  { name: 'retention-form', path: '/retention/new' },
  { name: 'retention-due', path: '/retention/details/all', given: dueOnce, isState: true },
  { name: 'proofing', path: '/proofing', isState: true },
  { name: 'proofing-form', path: '/proofing/new', isState: true },
  { name: 'communication', path: '/communication', isState: true },
  { name: 'communication-form', path: '/communication/new', isState: true },
  { name: 'email', path: '/email', isState: true },
  { name: 'email-form', path: '/email/new' },
  { name: 'cloud-storage', path: '/cloud-storage', isState: true },
  { name: 'cloud-storage-form', path: '/cloud-storage/new', isState: true },
  { name: 'renaming', path: '/rename', isState: true },
  { name: 'renaming-form', path: '/rename/new' },
  { name: 'delivery', path: '/delivery', isState: true },
  { name: 'delivery-form', path: '/delivery/new' },
  { name: 'sftp', path: '/sftp-servers', isState: true },
  { name: 'sftp-form', path: '/sftp-servers/new', isState: true },
  { name: 'audit', path: '/audit?act=setup.done' },
  { name: 'archiving', path: '/archiving' },
  { name: 'archiving-form', path: '/archiving/new' },
  { name: 'settings', path: '/settings' },
  { name: 'settings-security', path: '/settings?tab=security', isState: true },
  { name: 'settings-sign-on', path: '/settings?tab=signOn', isState: true },
  { name: 'settings-mail', path: '/settings?tab=mail', isState: true },
  { name: 'settings-savings', path: '/settings?tab=savings', isState: true },
  { name: 'settings-appearance', path: '/settings?tab=appearance', isState: true },
  { name: 'settings-notices', path: '/settings?tab=notices', isState: true },
  { name: 'settings-archiving', path: '/settings?tab=archiving', isState: true },
  { name: 'settings-captcha', path: '/settings?tab=captcha', isState: true },
  { name: 'settings-storage', path: '/settings?tab=storage', isState: true, given: storedOnce },
  { name: 'backups', path: '/backups', given: backedUpSomewhere },
  { name: 'releases', path: '/releases' },
  { name: 'companies', path: '/host' },
  { name: 'company-form', path: '/host/new' },
  { name: 'feedback', path: '/feedback' },
  { name: 'notifications', path: '/notification' },
  { name: 'components', path: '/test' },
  { name: 'my-profile', path: '/user/my-profile', given: signedInOnce },
  {
    name: 'new-api-key',
    path: '/user/my-profile',
    isState: true,
    given: signedInOnce,
    act: pressUnscrolled('New API key'),
  },
  {
    name: 'new-embed-token',
    path: '/user/my-profile',
    isState: true,
    given: signedInOnce,
    act: pressUnscrolled('New embed token'),
  },
  // A trial is in no list.
  { name: 'fix-trial', path: '/fix/new', isState: true, act: tried },
  { name: 'session-compared', path: '/notification', isState: true, act: drawnFixed },
  {
    name: 'session-swiped',
    path: '/notification',
    isState: true,
    act: compared('Swipe', (page) => expect(page.getByRole('slider')).toBeVisible()),
  },
  {
    name: 'session-difference',
    path: '/notification',
    isState: true,
    act: compared('Difference', (page) => expect(page.getByText(/differs? at \d+ dpi/)).toBeVisible()),
  },
  {
    name: 'session-fixes',
    path: '/notification',
    isState: true,
    act: async (page) => {
      await drawnFixed(page);
      const details = page.getByRole('tab', { name: 'Details' });
      if (await details.isVisible()) await details.click();
      await expect(page.getByText('Add trim marks').first()).toBeVisible();
    },
  },
  // Last, because they submit files, which would change the lists in the other screenshots.
  { name: 'session-held', path: '/notification', isState: true, act: drawnHeld },
  {
    name: 'use-another-workflow',
    path: '/notification',
    isState: true,
    act: async (page) => {
      await drawnHeld(page);
      await press('Use another workflow')(page);
      await expect(page.getByRole('dialog', { name: /^Another workflow for/ })).toBeVisible();
    },
  },
  {
    name: 'session-deleted',
    path: '/notification',
    isState: true,
    // Nobody finds it in a list any more; its address still tells what it was.
    act: async (page) => {
      const { items } = await ask<{ items: { id: string }[] }>(page, 'GET', '/sessions?search=Poster');
      if (items[0]) gone = items[0].id;
      if (items[0]) await ask(page, 'DELETE', `/sessions/${gone}`);
      await page.goto(`/workflows/session/${gone}`);
      await expect(page.getByText('This session was deleted.').first()).toBeVisible();
    },
  },
];
