import { mostImportedUsers, problem } from '@pdf2press/contract';
import { CsvError, parse } from 'csv-parse/sync';

/** A line as it stands in the file, each cell trimmed. */
export interface UserLine {
  /** Where it begins in the file, from 1. */
  line: number;
  firstName: string;
  lastName: string;
  email: string;
  roles: string[];
  organizations: string[];
}

type Column = 'name' | 'firstName' | 'lastName' | 'email' | 'roles' | 'organizations';

/** What the columns are called, in the six languages; case, blanks, hyphens and accents do not matter. */
const columnWords: Readonly<Record<Column, readonly string[]>> = {
  name: ['name', 'fullname', 'nom', 'nomcomplet', 'nombre', 'nombrecompleto', 'nome', 'nomecompleto', '姓名', '名称'],
  firstName: ['firstname', 'givenname', 'prenom', 'nombredepila', 'primeironome', '名'],
  lastName: [
    'lastname',
    'surname',
    'familyname',
    'nomdefamille',
    'apellido',
    'apellidos',
    'cognome',
    'sobrenome',
    '姓',
  ],
  email: [
    'email',
    'mail',
    'emailaddress',
    'adresseemail',
    'courriel',
    'correo',
    'correoelectronico',
    '邮箱',
    '电子邮件',
  ],
  roles: ['roles', 'role', 'rol', 'ruoli', 'ruolo', 'funcoes', 'funcao', '角色'],
  organizations: [
    ...['organizations', 'organization', 'organisations', 'organisation', 'organizaciones', 'organizacion'],
    ...['organizzazioni', 'organizzazione', 'organizacoes', 'organizacao', '组织'],
  ],
};

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\p{M}\s_.-]/gu, '')
    .toLowerCase();

const columnOf = (word: string): Column | undefined =>
  (Object.keys(columnWords) as Column[]).find((column) => columnWords[column].includes(plain(word)));

const separators = [';', '\t', ','] as const;

/** The separator that the header has most of, quoted words left out. */
function separatorOf(text: string): string {
  const header = (text.split(/\r?\n/, 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const count = (separator: string) => header.split(separator).length;
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** @throws ProblemError `userImport.notUtf8`, `userImport.notCsv` with the line */
function readRows(text: string): { line: number; cells: string[] }[] {
  // What a browser makes of bytes that are no UTF-8.
  if (text.includes('\uFFFD')) throw problem('userImport.notUtf8');
  let next = 1;
  try {
    const rows = parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      info: true,
      relax_column_count: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.flatMap(({ record, info }) => {
      const line = next;
      // Of a cell of several lines the reader counts the last.
      next = info.lines + 1;
      return record.some((cell) => cell !== '') ? [{ line, cells: record }] : [];
    });
  } catch (error) {
    if (error instanceof CsvError) throw problem('userImport.notCsv', { line: Number(error.lines ?? next) });
    throw error;
  }
}

/** Several names in a cell. What a comma separates is divided where the names are looked up, because a name may have one. */
const namesIn = (cell: string): string[] =>
  cell
    .split(/[|;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** A full name by its last word, as the form has two fields. */
function splitName(name: string): { firstName: string; lastName: string } {
  const words = name.split(/\s+/);
  return words.length > 1
    ? { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' }
    : { firstName: name, lastName: '' };
}

/**
 * Reads a CSV of users, with the columns in any order.
 * @throws ProblemError `userImport.*` when the file as a whole cannot be read
 */
export function readUserFile(text: string): { lines: UserLine[]; ignoredColumns: string[] } {
  const [head, ...rows] = readRows(text);
  const columns = (head?.cells ?? []).map((word) => ({ word, column: columnOf(word) }));
  const places = new Map<Column, number>();
  for (const [at, { word, column }] of columns.entries()) {
    if (!column) continue;
    if (places.has(column)) throw problem('userImport.columnTwice', { name: word });
    places.set(column, at);
  }
  if (!places.has('email')) throw problem('userImport.columnMissing', { name: 'email' });
  if (!places.has('name') && !places.has('firstName')) throw problem('userImport.columnMissing', { name: 'name' });
  if (rows.length === 0) throw problem('userImport.noLines');
  if (rows.length > mostImportedUsers) throw problem('userImport.tooManyLines', { max: mostImportedUsers });
  const lines = rows.map(({ line, cells }) => {
    // The reader leaves blanks inside quotation marks.
    const cell = (column: Column) => (cells[places.get(column) ?? -1] ?? '').trim();
    const split = splitName(cell('name'));
    return {
      line,
      firstName: cell('firstName') || split.firstName,
      lastName: cell('lastName') || split.lastName,
      email: cell('email'),
      roles: namesIn(cell('roles')),
      organizations: namesIn(cell('organizations')),
    };
  });
  return { lines, ignoredColumns: columns.flatMap(({ word, column }) => (column || word === '' ? [] : [word])) };
}
