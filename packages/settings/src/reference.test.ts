import { fileURLToPath } from 'node:url';
import { locales } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { type Fact, factsOf } from './facts/facts.ts';
import { sessionVariables, type Variable, variableScopes } from './facts/predefined.ts';
import { settingsMessages } from './messages.ts';
import { type Format, formatNames, formats } from './placeholders/formats.ts';
import { resolvePlaceholders } from './placeholders/placeholders.ts';
import { operatorNames, operatorsByType } from './rules/operators.ts';

const { session: _, ...scopes } = variableScopes;
const scoped: Readonly<Record<string, Variable>> = Object.assign({}, ...Object.values(scopes));
const expected = [
  ...[...Object.keys(sessionVariables), ...Object.keys(scoped), 'preflight.check.result', 'preflight.check.value'].map(
    (name) => `variable.${name}`,
  ),
  ...formatNames.map((name) => `format.${name}`),
  ...operatorNames.map((name) => `operator.${name}`),
];

test.each(locales)('%s has words for every variable, format and operator, and no others', (locale) => {
  const words = settingsMessages[locale];
  expect(Object.keys(words).sort()).toEqual([...new Set(expected)].sort());
  for (const [key, text] of Object.entries(words)) {
    expect(text.trim(), key).not.toBe('');
    expect(text, key).not.toMatch(/[{}]/);
  }
  if (locale === 'en') return;
  const same = Object.keys(words).filter((key) => words[key] === settingsMessages.en[key]);
  expect(same).toEqual([]);
});

test('operators of one type have different labels', () => {
  for (const locale of locales)
    for (const operators of Object.values(operatorsByType)) {
      const labels = Object.keys(operators).map((name) => settingsMessages[locale][`operator.${name}`]);
      expect(new Set(labels).size).toBe(labels.length);
    }
});

const reader = { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' } as const;
const plain = ({ type, value }: Fact) =>
  resolvePlaceholders(
    '{{x}}',
    factsOf({ x: value }, () => type),
    reader,
  );
const cell = (text: string) => text.replaceAll('|', '\\|');
const say = (key: string) => settingsMessages.en[key] ?? '';
const table = (variables: Readonly<Record<string, Variable>>) =>
  [
    '| name | type | meaning | example |',
    '|---|---|---|---|',
    ...Object.entries(variables).map(
      ([name, { type, example, options }]) =>
        `| \`${name}\` | ${type}${options ? `: ${options.join(', ')}` : ''} | ${cell(say(`variable.${name}`))} | ${cell(plain({ type, value: example }))} |`,
    ),
  ].join('\n');

const text = `# Variables in texts

This page is written from the tables in \`packages/settings\` and compared with them by a test
(\`npx vitest run -u src/reference.test.ts\` in that folder writes it anew).

## How a placeholder is written

\`{{name}}\` stands for a value, \`{{name|format}}\` for a value in a format, \`{{name|format:argument|format}}\` for several
formats one after the other. The same syntax holds in slug lines, bar codes, mails, file names and defaults of variables.

- Capitals make no difference in names: \`{{File.Name}}\` is \`{{file.name}}\`.
- An argument that holds \`|\` or \`}}\`, or begins or ends with a blank, stands in double quotes: \`{{pdf.inks|join:" + "}}\`.
  A double quote inside is written twice.
- An unknown name or format is refused where the text is saved, with its place. A known name without a value gives an
  empty text; \`{{order.id|default:none}}\` gives another one.
- A value that is filled in is never read again as a placeholder.
- Without a format, a number has a decimal point and no grouping, a length is the bare number in the unit of the reader
  (\`{{pdf.trimUnit}}\` is that unit), a day is \`2026-11-22\`, a moment \`2026-11-22 18:33\`, and a list has commas between its
  entries: the same text in every language, good for file names and bar codes.
- Variables of a workflow are used by their own name, \`{{Grammage}}\`. They may not take a name of this page, nor one that
  begins like a group of it (\`order.\`, \`file.\` …).

## Formats

| format | fits | what it does | example | result |
|---|---|---|---|---|
${formatNames
  .map((name) => {
    const format: Format = formats[name];
    const [value, call, result] = format.example;
    const takes = format.takes.length === 8 ? 'everything' : format.takes.join(', ');
    return `| \`${name}\` | ${takes} | ${cell(say(`format.${name}`))} | ${plain(value) || '(no value)'} \\| \`${call}\` | ${result} |`;
  })
  .join('\n')}

Letters of a date pattern: \`yyyy\` \`yy\` year, \`MMMM\` \`MMM\` \`MM\` \`M\` month, \`dd\` \`d\` day, \`EEEE\` \`EEE\` weekday, \`HH\` \`H\` hour
of 24, \`hh\` \`h\` hour of 12 with \`a\`, \`mm\` minute, \`ss\` second; text stands in single quotes: \`{{now|date:d MMMM 'at' HH:mm}}\`.

## Variables of every session

${table(sessionVariables)}

\`preflight.check.<key>.result\` is Success, Warning or Error of one check, \`preflight.check.<key>.value\` what it measured, such
as \`{{preflight.check.ImageResolution.value}}\`.

What a name needs must have happened before: \`preflight.\` is of the newest preflight of the run, \`fix.\` and \`impose.\` of
its newest fix and imposition, \`hold.\` of the newest hold. \`pdf.maxTac\` is measured by the preflight. \`pdf.colorPages\` and
\`pdf.bwPages\` are, too, or are told by the inks that every page names. \`order.\` and \`upload.\` have the values that are
handed in with the file under these names, beside the workflow's variables. \`counter\` and \`counter.daily\` are numbers of
the workflow, \`counter.all\` is the number of all workflows together; a step that uses them takes the next ones and keeps
them, however often it is tried, and a trial takes none.
Days and hours are those of the time zone that the settings name; where none is chosen, those of the server. Names that
begin with \`proof.\`, \`email.\` and \`cloud.\`, and \`org.logoUrl\`, are known and have no value in a step; \`session.finishedAt\`
has none while the workflow runs. No list offers them there.

## On sheets

Slug lines and bar codes of an imposition know these, too.

${table(variableScopes.sheet)}

## On pages

The text that the trim marks of a fix write on a page knows these, too.

${table(variableScopes.page)}

## In messages

The texts and recipients of a communication profile know these, too. The values of \`proof.\` are those of the newest proof;
\`proof.url\` is the recipient's own link in what is written to somebody who is asked, and otherwise the session's page.

${table(variableScopes.message)}

## In messages about accounts

The texts of a communication profile about an account or a membership know these, and no others. \`link.minutes\` and
\`link.expiresAt\` have no value where the link is no secret that ends, as in a welcome.

${table(variableScopes.account)}

## In the watermark of a proof

The line that is drawn into the low-resolution copy which readers of a proof may load knows these, too. Where it names its
reader, each of them gets a copy of their own.

${table(variableScopes.proof)}

## In conditions and routes

Rules compare any variable of a session and these:

${table(variableScopes.rule)}

\`preflight.findings\` counts findings of a check, a rule, a severity or worse, and pages, as the rule says. A rule whose
variable has no value is false, whatever it compares; \`exists\` is false then, too. Capitals make no difference unless the
rule says so. Lengths are equal within 0.1 mm, because programs round page sizes.

| type | operators |
|---|---|
${Object.entries(operatorsByType)
  .map(
    ([type, operators]) =>
      `| ${type} | ${Object.keys(operators)
        .map((name) => say(`operator.${name}`))
        .join(' · ')} |`,
  )
  .join('\n')}

Regular expressions have the syntax of RE2: no look-around and no back-references, so that none can run long.
`;

test('the reference for operators says what the tables say', async () => {
  await expect(text).toMatchFileSnapshot(fileURLToPath(new URL('../../../docs/variables.md', import.meta.url)));
});
