// Which room may import which. Checked by dependency-cruiser in `npm run check`; for every rule import-rules.test.ts has a
// file that must break it.
const path = require('node:path');

// The tests run the same rules over a folder of their own.
const root = process.env.IMPORT_RULES_ROOT ?? path.resolve(__dirname, '../..');

/** What each room may import of the others; a room that is not listed may import nothing of ours. */
const mayImport = {
  contract: [],
  settings: ['contract'],
  pdf: ['contract'],
  preflight: ['contract', 'settings', 'pdf'],
  fix: ['contract', 'settings', 'pdf', 'preflight'],
  impose: ['contract', 'settings', 'pdf'],
  tasks: ['contract', 'settings', 'pdf', 'preflight', 'fix', 'impose'],
  steps: ['contract', 'settings', 'preflight', 'tasks', 'ui'],
  sftp: [],
  sources: ['contract', 'settings', 'sftp', 'ui'],
  deliveries: ['contract', 'settings', 'sftp'],
  storage: ['contract'],
  mail: ['contract', 'settings'],
  engine: ['contract', 'settings', 'storage', 'mail', 'steps', 'sources', 'deliveries'],
  ui: ['contract', 'settings'],
  config: [],
};

/** Folders of the engine from the lowest to the highest; files beside them are beneath all, the door is above all. */
const engineFloors = [
  ...[
    'postgres',
    'secrets',
    'plans',
    'figures',
    'files',
    'sources',
    'workflows',
    'sessions',
    'waits',
    'proofs',
    'steps',
    'commands',
  ],
  ...['retention', 'persons', 'effects', 'alarms', 'bell', 'worker', 'backup'],
];

/** Folders of a room from the lowest to the highest. */
const floors = {
  fix: ['kind', 'editing', 'fixes', 'log', 'profile', 'gate', 'apply'],
  impose: ['sheet', 'marks', 'layouts', 'profile', 'dies', 'exports', 'produce'],
};

/** Folders of preflight from the lowest to the highest. */
const preflightFloors = [
  'reading',
  'remedies',
  'checks',
  'profile',
  'presets',
  'findings',
  'reports',
  'judge',
  'quality',
];

const home = (room) => `^packages/${room}/(src|dist)/`;
const isTest = '[.](test|bench|journey)[.](tsx?|js)$|/testing/|/test/|/journeys/';
const serverOnly = '^packages/(pdf|storage|mail|engine)/|^prisma/|^apps/(api|worker|intake|cli)/';
const npm = (names) => `node_modules/(${names})/`;

module.exports = {
  forbidden: [
    {
      name: 'no circles',
      comment: 'A dynamic import closes a circle as well: a screen does not import the list of pages that loads it.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...Object.entries(mayImport).map(([room, friends]) => ({
      name: `${room} imports only ${friends.join(', ') || 'nothing of ours'}`,
      severity: 'error',
      from: { path: home(room), pathNot: isTest },
      to: {
        path: '^(packages|apps|prisma)/',
        pathNot: [room, ...friends].map((name) => `^packages/${name}/`).concat(room === 'engine' ? ['^prisma/'] : []),
      },
    })),
    {
      name: 'fix knows preflight by its contracts, and by whether a file keeps a standard',
      comment: 'A fix may answer a finding, and asks before it names a standard in a file; it runs no other check.',
      severity: 'error',
      from: { path: home('fix'), pathNot: isTest },
      to: { path: '^packages/preflight/', pathNot: '^packages/preflight/(src|dist)/(contracts|judge/conformance)[.]' },
    },
    {
      name: 'steps knows preflight by its contracts',
      comment: 'A step asks what a check needs; checks run in tasks.',
      severity: 'error',
      from: { path: home('steps'), pathNot: isTest },
      to: { path: '^packages/preflight/', pathNot: '^packages/preflight/(src|dist)/contracts[.]' },
    },
    {
      name: 'a room opens only its own doors',
      comment: 'Other rooms are reached by their package name and its exports, never by a path into them.',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/[^/]+/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    ...[undefined, ...engineFloors].map((floor, index) => ({
      name: 'a folder of the engine imports only those beneath it',
      severity: 'error',
      from: {
        path: `^packages/engine/src/${floor ? `${floor}/` : '[^/]+[.]ts$'}`,
        pathNot: `${isTest}|^packages/engine/src/engine[.]ts$`,
      },
      to: {
        path: `^packages/engine/src/(${engineFloors.slice(index).join('|') || '$^'})/`,
        // What an effect is, and recording one, is for everybody; doing it is above the commands.
        pathNot: '^packages/engine/src/effects/(enqueue|[^/]+/contract)[.]ts$',
      },
    })),
    ...Object.entries(floors).flatMap(([room, folders]) =>
      folders.map((folder, index) => ({
        name: `a folder of the ${room} room imports only those beneath it`,
        severity: 'error',
        from: { path: `^packages/${room}/src/${folder}/`, pathNot: isTest },
        to: { path: `^packages/${room}/src/(${folders.slice(index + 1).join('|') || '$^'})/` },
      })),
    ),
    ...preflightFloors.slice(0, -1).map((floor, index) => ({
      name: 'a folder of preflight imports only those beneath it',
      comment: 'The cases beside a check are test data and use the builders of quality.',
      severity: 'error',
      from: { path: `^packages/preflight/src/${floor}/`, pathNot: `${isTest}|/cases[.]ts$` },
      to: { path: `^packages/preflight/src/(${preflightFloors.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'an app is nobody’s room',
      severity: 'error',
      from: { path: '^(packages|prisma)/', pathNot: isTest },
      to: { path: '^apps/' },
    },
    {
      name: 'a screen does not import the list of pages',
      comment: 'The list finds the places of every folder, and they load the screens.',
      severity: 'error',
      from: { path: '^apps/web/src/(?!frame/)[^/]+/' },
      to: { path: '^apps/web/src/frame/places[.]ts$' },
    },
    {
      name: 'nothing the browser reaches may run on the server',
      severity: 'error',
      from: {
        path: '^(apps/web/src|packages/ui/src)/|/form[.]tsx$|^packages/(steps|preflight|fix|impose|sources|deliveries)/src/contracts[.]ts$|^packages/settings/src/',
        pathNot: isTest,
      },
      to: { path: serverOnly, reachable: true },
    },
    {
      name: 'nothing the server reaches may draw',
      severity: 'error',
      from: {
        path: '^(apps/(api|worker|intake|cli)|packages/(engine|storage|mail|pdf|preflight|fix|impose|tasks))/src/',
        pathNot: isTest,
      },
      to: { path: `^packages/ui/|${npm('react|react-dom|@mantine/[^/]+|@xyflow/react')}`, reachable: true },
    },
    {
      name: 'a contract knows neither how it runs nor how it looks',
      severity: 'error',
      from: { path: '/contract[.]ts$|^packages/contract/src/', pathNot: isTest },
      to: { path: `(^|/)(run|form)[.]tsx?$|${npm('react|mupdf|sharp|bullmq|fastify|@prisma/client')}` },
    },
    {
      name: 'the contract imports zod only',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: isTest },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: npm('zod') },
    },
    {
      name: 'kinds do not know each other',
      severity: 'error',
      from: {
        path: '^packages/(preflight/src/checks|fix/src/fixes|impose/src/(?:layouts|marks)|steps/src|sources/src|deliveries/src)/([^/]+)/',
        pathNot: isTest,
      },
      to: { path: '^packages/$1/[^/]+/', pathNot: '^packages/$1/$2/' },
    },
    {
      name: 'only the pdf room names a PDF or colour engine',
      severity: 'error',
      // A build may have joined several sources in one file.
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: `^packages/pdf/|${isTest}` },
      to: { path: npm('mupdf|lcms-wasm|@okathira/ghostpdl-wasm|sharp') },
    },
    {
      name: 'only the doorbell knows BullMQ',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: `^packages/engine/src/bell/doorbell|${isTest}` },
      to: { path: npm('bullmq|ioredis') },
    },
    {
      name: 'the api opens no PDF',
      comment: 'It may start the limited child process that takes the password off one, or draws a logo.',
      severity: 'error',
      from: { path: '^apps/(api|intake)/src/', pathNot: isTest },
      to: { path: `^packages/pdf/(?!(src|dist)/limited/)|${npm('mupdf')}`, reachable: true },
    },
  ],
  options: {
    baseDir: root,
    doNotFollow: { path: 'node_modules' },
    // The bundles of the child programs hold what is checked file by file, cut into other pieces.
    exclude: {
      path: '/dist/.*[.]map$|[.]turbo|[.]d[.]ts$|/generated/|^apps/[^/]+/dist/|^packages/tasks/dist/(child|quick)/',
    },
    tsPreCompilationDeps: true,
    parser: 'tsc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
