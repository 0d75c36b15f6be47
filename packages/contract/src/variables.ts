/**
 * System variables (spec/proof-and-workflow §5): reserved names that texts may use and that a user variable may not take.
 */
const groups: Record<string, string> = {
  session: 'id shortId url status createdAt finishedAt source sourceName restartCount parentId',
  workflow: 'name id version',
  step: 'name kind',
  file: 'name baseName extension originalName sizeBytes sizeText sha256 version',
  pdf: 'pageCount version conformance trimWidth trimHeight trimUnit orientation bleedMin spotCount spotNames inks colorPages bwPages maxTac minPpi fontsMissing hasTransparency producer title',
  preflight: 'result errorCount warningCount infoCount reportUrl findingsText',
  fix: 'applied changeCount',
  impose: 'type ups sheetCount sheetWidth sheetHeight',
  proof: 'url decision decidedBy decidedAt comment deadline version',
  hold: 'reason by since',
  email: 'from subject body receivedAt',
  upload: 'name email company message',
  cloud: 'folder path',
  org: 'name id logoUrl color',
  user: 'name email',
  order: 'id externalId quantity dueDate product',
  app: 'title baseUrl',
  counter: 'daily',
};

export const systemVariables: readonly string[] = [
  ...Object.entries(groups).flatMap(([group, names]) => names.split(' ').map((name) => `${group}.${name}`)),
  'date',
  'time',
  'now',
  'year',
  'month',
  'day',
  'counter',
];

const reserved = new Set(systemVariables.map((name) => name.toLowerCase()));

/** Whether a name belongs to the system; `preflight.check.*` stands for every check's result and value. */
export const isSystemVariable = (name: string): boolean =>
  reserved.has(name.toLowerCase()) || /^preflight\.check\./i.test(name);

/** Variable names used in a text as `{{name}}` or `{{name|format}}`. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*([^}|]+?)\s*(?:\|[^}]*)?\}\}/g)].map((match) => match[1] ?? '');
