import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractMessages } from './contract-messages.ts';
import { errorCodes, fileFaults } from './errors.ts';
import { fileTypeOf, isSidecarName } from './file-types.ts';
import { type Locale, locales, nearestLocale } from './locales.ts';
import { fillIn, messageOf, sentence } from './messages.ts';
import { isAtPosition, pageRangeSchema, resolvePageRange } from './page-range.ts';
import { defaultRoles, permissions } from './permissions.ts';
import { routes } from './routes.ts';
import {
  actionPermissions,
  canMove,
  isActionOpen,
  isFinal,
  sessionActions,
  sessionStatuses,
} from './session-statuses.ts';
import { passwordFaults, systemSettingsSchema } from './settings.ts';
import { sourceFaults } from './sources.ts';
import { formatBytes, formatLength, formatNumber, fromPoints, parseLength, toPoints, units } from './units.ts';
import { valueFaultOf } from './value-faults.ts';
import { readVariables, variablesSchema } from './variable-values.ts';
import type { WorkflowVariable } from './workflows.ts';

test('every error code and fault of a file or source has a sentence', () => {
  for (const code of [...errorCodes, ...fileFaults, ...sourceFaults])
    expect(messageOf(contractMessages, 'en', code), code).toBeTruthy();
});

test('a sentence fills its placeholders and falls back to English, then to the code', () => {
  expect(sentence(contractMessages, 'fr', 'value.min', { min: 3 })).toBe('La valeur minimale admise est 3');
  expect(sentence({ ...contractMessages, zh: {} }, 'zh', 'value.email')).toBe('Value is not a valid email address');
  expect(sentence(contractMessages, 'en', 'no.such')).toBe('no.such');
  expect(fillIn('{a}-{b}', { a: 0 })).toBe('0-');
});

test('a sentence takes the plural form of its language for the number it shows', () => {
  const files = {
    ...contractMessages,
    en: {
      files_zero: 'no file of {name}',
      files_one: '{total} file of {name}',
      files_other: '{total} files of {name}',
      kinds_one: 'no kind {kind} in {count}',
      kinds_other: 'no kind {kind} among {count}',
    },
    fr: { files_one: '{total} fichier', files_many: '{total} de fichiers', files_other: '{total} fichiers' },
  };
  const said = (locale: Locale, total: unknown) => sentence(files, locale, 'files', { name: 'A', total });
  expect([0, 1, 2].map((total) => said('en', total))).toEqual(['no file of A', '1 file of A', '2 files of A']);
  expect([0, 2, 1_000_000].map((total) => said('fr', total))).toEqual([
    '0 fichier',
    '2 fichiers',
    '1000000 de fichiers',
  ]);
  // Words that are missing are English, in the English form.
  expect(said('pt', 1)).toBe('1 file of A');
  expect(said('en', 'many')).toBe('many files of A');
  expect(sentence(files, 'en', 'kinds', { kind: 5, count: 1 })).toBe('no kind 5 in 1');
});

test('the types of file that workflows can take are told by names, and so are files with values', () => {
  expect(['a.pdf', 'A.PDF', 'b.jpeg', 'c.Tif', 'd.png', 'e.ZIP'].map(fileTypeOf)).toEqual([
    'PDF',
    'PDF',
    'JPEG',
    'TIFF',
    'PNG',
    'ZIP',
  ]);
  expect(['a.docx', 'pdf', 'a.pdf.exe', 'a.svg', 'a.json', ''].filter(fileTypeOf)).toEqual([]);
  expect(['a.json', 'a.XML', 'a.csv', 'a.txt', 'json'].filter(isSidecarName)).toEqual(['a.json', 'a.XML', 'a.csv']);
});

test('a size is written with a unit, in every language', () => {
  for (const locale of locales)
    expect(sentence(contractMessages, locale, 'file.tooLarge', { limit: 4 * 1024 ** 3 }), locale).toContain('4.00 GB');
});

test('a requested language gives the nearest supported one', () => {
  expect(['it', 'pt-BR', 'de-DE,fr;q=0.8', 'xx', undefined].map(nearestLocale)).toEqual([
    'it-IT',
    'pt',
    'fr',
    'en',
    'en',
  ]);
});

test('there are 91 permissions, each once, and every default role holds known ones', () => {
  expect(permissions).toHaveLength(91);
  expect(new Set(permissions).size).toBe(91);
  for (const role of defaultRoles) for (const permission of role.permissions) expect(permissions).toContain(permission);
});

test('no two routes share method and path, and each names its access', () => {
  const seen = new Set<string>();
  for (const noun of Object.values(routes)) {
    for (const route of Object.values(noun)) {
      const key = `${route.method} ${route.path.replace(/:\w+/g, ':')}`;
      expect(seen, key).not.toContain(key);
      seen.add(key);
      expect(route.access.kind, key).toMatch(/^(public|signedIn|permission|host)$/);
    }
  }
});

test('settings have their documented defaults', () => {
  const settings = systemSettingsSchema.parse({ id: 's', subscriberId: 'x' });
  expect(settings.passwordSettings.requiredLength).toBe(6);
  expect(settings.userSettings).toEqual({
    enableUserLockout: true,
    maxFailedLoginAttempts: 5,
    accountLockoutDurationInSeconds: 300,
    sendActivationEmail: true,
  });
  expect(settings.smtpSettings).toMatchObject({ port: 0, enableSsl: true });
  expect(settings.culture).toBe('en-US');
  expect(passwordFaults('abc', settings.passwordSettings).map((fault) => fault.code)).toEqual([
    'password.tooShort',
    'password.digit',
    'password.uppercase',
    'password.nonAlphanumeric',
  ]);
  expect(passwordFaults('Abc1!x', settings.passwordSettings)).toEqual([]);
});

test.each(locales)('numbers in %s are written as its formatter does, also those that need none', (locale) => {
  const formatter = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const some = [
    0,
    3,
    2.9999999999999996,
    3.004,
    3.005,
    3.5,
    -17,
    -3.5,
    999,
    999.99,
    999.996,
    1000,
    12_345.678,
    NaN,
    Infinity,
  ];
  expect(some.map((value) => formatNumber(value, 2, locale))).toEqual(some.map((value) => formatter.format(value)));
});

test('lengths convert in both directions, and are parsed as people type them', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e5, max: 1e5, noNaN: true }), fc.constantFrom(...units), (value, unit) => {
      expect(fromPoints(toPoints(value, unit), unit)).toBeCloseTo(value, 6);
    }),
  );
  expect(parseLength('3mm')).toBeCloseTo(8.504, 3);
  expect(parseLength('0.125in')).toBe(9);
  expect(parseLength('3,5', 'Millimeters')).toBeCloseTo(9.921, 3);
  expect(parseLength('12 pt')).toBe(12);
  expect([parseLength(''), parseLength('mm'), parseLength('1e5'), parseLength('3 miles')]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(formatLength(72, 'Millimeters')).toBe('25.4 mm');
  expect([formatBytes(0), formatBytes(1023), formatBytes(1024), formatBytes(50435457)]).toEqual([
    '0 Bytes',
    '1023 Bytes',
    '1.00 KB',
    '48.10 MB',
  ]);
});

test('page ranges', () => {
  const pages = (range: string, count = 10) => resolvePageRange(range, count);
  expect(pages('all', 3)).toEqual([1, 2, 3]);
  expect(pages('odd')).toEqual([1, 3, 5, 7, 9]);
  expect(pages('even')).toEqual([2, 4, 6, 8, 10]);
  expect(pages('1,3-6,-2--1')).toEqual([1, 3, 4, 5, 6, 9, 10]);
  expect(pages('8-')).toEqual([8, 9, 10]);
  expect(pages('-1')).toEqual([10]);
  expect(pages('99,last')).toEqual([10]);
  expect(pages('12-')).toEqual([]);
  expect(pageRangeSchema.safeParse('1,x').success).toBe(false);
  expect(isAtPosition(2, 10, 'SecondAndNextToLast')).toBe(true);
  expect(isAtPosition(1, 1, 'FirstAndLast')).toBe(true);
});

test('a session leaves an end status only by restart, and a locked or deleted one allows no action', () => {
  for (const status of sessionStatuses.filter(isFinal)) {
    expect(sessionStatuses.filter((to) => canMove(status, to))).toEqual(['InQueue']);
  }
  const open = {
    status: 'Completed',
    archiveState: 'Unarchived',
    isDeleted: false,
    isStopped: false,
    isUrgent: false,
  } as const;
  expect(isActionOpen('restart', open)).toBe(true);
  expect(isActionOpen('stop', open)).toBe(false);
  expect(isActionOpen('restart', { ...open, archiveState: 'Archiving' })).toBe(false);
  expect(isActionOpen('delete', { ...open, isDeleted: true })).toBe(false);
  // A stop is resumed and a hold is continued; a session that has ended cannot be canceled.
  const held = { ...open, status: 'OnHold' } as const;
  const stopped = { ...held, isStopped: true };
  const openOf = (state: Parameters<typeof isActionOpen>[1]) =>
    sessionActions.filter((action) => isActionOpen(action, state));
  expect(openOf(held)).toEqual([
    'prioritize',
    'continue',
    'restart',
    'replaceFile',
    'reroute',
    'overwriteVariables',
    'cancel',
    'delete',
  ]);
  expect(openOf(stopped)).toEqual([
    'resume',
    'prioritize',
    'restart',
    'replaceFile',
    'reroute',
    'overwriteVariables',
    'cancel',
    'delete',
  ]);
  expect(openOf({ ...open, status: 'Processing' })).toEqual(['stop', 'prioritize', 'reroute', 'cancel', 'delete']);
  expect(openOf({ ...open, status: 'InQueue', isUrgent: true })).toContain('deprioritize');
  expect(openOf(open)).toEqual(['restart', 'replaceFile', 'downloadResult', 'archive', 'delete']);
  expect(Object.values(actionPermissions).every((name) => permissions.includes(name))).toBe(true);
});

test('variables are typed, get defaults and report problems', () => {
  const variable = { default: null, isRequired: false, isPublic: false, options: [] };
  const variables: WorkflowVariable[] = [
    { ...variable, name: 'quantity', type: 'Number', isRequired: true },
    { ...variable, name: 'folded', type: 'YesNo', default: false },
    { ...variable, name: 'paper', type: 'Select', options: ['matt', 'gloss'] },
    { ...variable, name: 'missing', type: 'String', isRequired: true },
  ];
  const given = { Quantity: '500', folded: 'yes', paper: 'silk', note: 'free' };
  const { values, problems } = readVariables(variables, given);
  expect(values).toEqual({ quantity: 500, folded: true, note: 'free' });
  expect(problems.map((each) => [each.code, each.field])).toEqual([
    ['workflow.variableInvalid', 'paper'],
    ['workflow.variableMissing', 'missing'],
  ]);

  // As a schema it reads the same, and a form gets each problem at its field.
  const schema = variablesSchema(variables);
  expect(schema.safeParse(given).error?.issues.map((issue) => [valueFaultOf(issue).code, ...issue.path])).toEqual(
    problems.map(({ code, field }) => [code, field]),
  );
  expect(schema.parse({ ...given, paper: 'matt', missing: 'x' })).toEqual({ ...values, paper: 'matt', missing: 'x' });
});
