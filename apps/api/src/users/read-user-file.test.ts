import { ProblemError } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { readUserFile } from './read-user-file.ts';

const told = (text: string) => {
  try {
    readUserFile(text);
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(({ code, params }) => [code, params]);
    throw error;
  }
  return null;
};
const ana = { firstName: 'Ana', lastName: 'Weber', email: 'ana@example.com', roles: ['Operator'], organizations: [] };

test.each([
  ['commas', 'name,email,roles\nAna Weber,ana@example.com,Operator\n'],
  [
    'semicolons, a byte order mark and carriage returns',
    '\uFEFFE-Mail;Roles;Name\r\nana@example.com;Operator;Ana Weber\r\n',
  ],
  ['tabs', 'Full name\tE-mail address\tRole\nAna Weber\tana@example.com\tOperator'],
  ['two columns for the name', 'Last_Name,first name,EMAIL,role\nWeber,Ana,ana@example.com,Operator'],
  ['French', 'Prénom;Nom de famille;Courriel;Rôles\nAna;Weber;ana@example.com;Operator'],
  ['Chinese', '姓名,邮箱,角色\nAna Weber,ana@example.com,Operator'],
  ['quoted cells', '"name","email","roles"\n" Ana Weber ","ana@example.com","Operator"'],
  [
    'empty lines and missing cells at the end',
    'email,name,roles,organizations\n\nana@example.com,Ana Weber,Operator\n,,,\n',
  ],
])('reads a file with %s', (_name, text) => {
  expect(readUserFile(text).lines).toMatchObject([ana]);
});

test('several roles and organizations stand in one cell; a quoted cell may have lines, and lines are counted on', () => {
  const { lines, ignoredColumns } = readUserFile(
    'name;email;roles;organisations;Phone\nAna;a@example.com;"Operator;Viewer";"North\nSouth";1\nBo Ng;b@example.com;Operator | Viewer;;\n',
  );
  expect(lines).toEqual([
    {
      ...{ line: 2, firstName: 'Ana', lastName: '', email: 'a@example.com' },
      ...{ roles: ['Operator', 'Viewer'], organizations: ['North', 'South'] },
    },
    {
      ...{ line: 4, firstName: 'Bo', lastName: 'Ng', email: 'b@example.com' },
      ...{ roles: ['Operator', 'Viewer'], organizations: [] },
    },
  ]);
  expect(ignoredColumns).toEqual(['Phone']);
});

test.each([
  ['name,roles\nAna,x', [['userImport.columnMissing', { name: 'email' }]]],
  ['email\na@example.com', [['userImport.columnMissing', { name: 'name' }]]],
  ['email,name,mail\na,b,c', [['userImport.columnTwice', { name: 'mail' }]]],
  ['email,name\n', [['userImport.noLines', undefined]]],
  ['email,name\nb\uFFFDrn,x', [['userImport.notUtf8', undefined]]],
  ['email,name\nx,y\n"never closed,x', [['userImport.notCsv', { line: expect.any(Number) }]]],
  [`email,name\n${'a@example.com,A\n'.repeat(1001)}`, [['userImport.tooManyLines', { max: 1000 }]]],
])('refuses what cannot be read', (text, problems) => {
  expect(told(text)).toEqual(problems);
});
