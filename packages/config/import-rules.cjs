// Which room may look into which, as one table of sentences. Checked by dependency-cruiser in `npm run check`;
// every rule has a probe in import-rules.test.ts that must break it.
const path = require('node:path');

// Probes run the same rules over a little house of their own.
const root = process.env.IMPORT_RULES_ROOT ?? path.resolve(__dirname, '../..');

/** What each room may import of the others; a room that is not listed may import nothing of ours. */
const mayImport = {
  contract: [],
  pdf: ['contract'],
  prepress: ['contract', 'pdf'],
  steps: ['contract', 'prepress', 'ui'],
  sources: ['contract', 'ui'],
  storage: ['contract'],
  mail: ['contract'],
  engine: ['contract', 'storage', 'mail', 'steps'],
  ui: ['contract'],
  config: [],
};

const home = (room) => `^packages/${room}/(src|dist)/`;
const isTest = '[.](test|bench|journey)[.](tsx?|js)$|/testing/|/test/|/journeys/';
const serverOnly = '^packages/(pdf|storage|mail|engine)/|^prisma/|^apps/(api|worker|intake|cli)/';
const npm = (names) => `node_modules/(${names})/`;

module.exports = {
  forbidden: [
    {
      name: 'no circles',
      comment: 'A screen that is loaded when somebody goes there may know the frame that loads it.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
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
      name: 'a room opens only its own doors',
      comment: 'Other rooms are reached by their package name and its exports, never by a path into them.',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/[^/]+/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    {
      name: 'an app is nobody’s room',
      severity: 'error',
      from: { path: '^(packages|prisma)/', pathNot: isTest },
      to: { path: '^apps/' },
    },
    {
      name: 'nothing the browser reaches may run on the server',
      severity: 'error',
      from: {
        path: '^(apps/web/src|packages/ui/src)/|/form[.]tsx$|^packages/(steps|prepress|sources)/src/contracts[.]ts$',
        pathNot: isTest,
      },
      to: { path: serverOnly, reachable: true },
    },
    {
      name: 'nothing the server reaches may draw',
      severity: 'error',
      from: {
        path: '^(apps/(api|worker|intake|cli)|packages/(engine|storage|mail|pdf|prepress))/src/',
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
        path: '^packages/(prepress/src/(?:checks|fixes|layouts|marks)|steps/src|sources/src)/([^/]+)/',
        pathNot: isTest,
      },
      to: { path: '^packages/$1/[^/]+/', pathNot: '^packages/$1/$2/|/(frame|common)/' },
    },
    {
      name: 'only the pdf room names a PDF or colour engine',
      severity: 'error',
      // What is built of the sources may have them joined in one file.
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: `^packages/pdf/|${isTest}` },
      to: { path: npm('mupdf|lcms-wasm|@okathira/ghostpdl-wasm|sharp') },
    },
    {
      name: 'only the doorbell knows BullMQ',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: `^packages/engine/src/doorbell|${isTest}` },
      to: { path: npm('bullmq|ioredis') },
    },
    {
      name: 'the api opens no PDF',
      severity: 'error',
      from: { path: '^apps/(api|intake)/src/', pathNot: isTest },
      to: { path: `^packages/pdf/|${npm('mupdf')}`, reachable: true },
    },
  ],
  options: {
    baseDir: root,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/.*[.]map$|[.]turbo|[.]d[.]ts$|/generated/|^apps/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    parser: 'tsc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
