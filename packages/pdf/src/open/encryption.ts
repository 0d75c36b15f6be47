import { isDict, isName, type PdfDict, type PdfValue } from './values.ts';

export type EncryptionMethod = 'none' | 'RC4' | 'AESv2' | 'AESv3' | 'unknown';

/** User access permissions, as the bits of /P grant them (ISO 32000-1, 7.6.3.2). */
export interface Permissions {
  readonly print: boolean;
  readonly printHighQuality: boolean;
  readonly modify: boolean;
  readonly extract: boolean;
  readonly annotate: boolean;
  readonly fillForms: boolean;
  readonly accessibility: boolean;
  readonly assemble: boolean;
}

/** Facts of the encryption dictionary (ISO 32000-1, 7.6.3; ISO 32000-2, 7.6.4). */
export interface Encryption {
  readonly handler: string;
  /** Encryption method of streams. */
  readonly method: EncryptionMethod;
  /** Length of the encryption key. */
  readonly bits: number;
  readonly revision: number;
  readonly permissions: Permissions;
}

type Resolve = (value: PdfValue | undefined) => PdfValue;

/** Reads the encryption dictionary of the trailer. */
export function readEncryption(dict: PdfDict, resolve: Resolve): Encryption {
  const number = (key: string, fallback: number): number => {
    const value = resolve(dict.map.get(key));
    return typeof value === 'number' ? value : fallback;
  };
  const handler = resolve(dict.map.get('Filter'));
  const version = number('V', 0);
  const revision = number('R', 0);
  const bits = version >= 5 ? 256 : version === 4 ? 128 : version === 1 ? 40 : number('Length', 40);
  return {
    handler: isName(handler) ? handler.name : '',
    method: version >= 4 ? cryptFilterMethod(dict, resolve) : version >= 1 ? 'RC4' : 'unknown',
    bits,
    revision,
    permissions: readPermissions(number('P', -1), revision),
  };
}

const methods: Readonly<Record<string, EncryptionMethod>> = { V2: 'RC4', AESV2: 'AESv2', AESV3: 'AESv3', None: 'none' };

function cryptFilterMethod(dict: PdfDict, resolve: Resolve): EncryptionMethod {
  const filterName = resolve(dict.map.get('StmF'));
  if (!isName(filterName) || filterName.name === 'Identity') return 'none';
  const filters = resolve(dict.map.get('CF'));
  const filter = isDict(filters) ? resolve(filters.map.get(filterName.name)) : null;
  const method = isDict(filter) ? resolve(filter.map.get('CFM')) : null;
  return (isName(method) && methods[method.name]) || 'unknown';
}

/** Bits of /P, numbered from 1 (ISO 32000-1, table 22). Bits 9 to 12 exist from revision 3 on. */
function readPermissions(value: number, revision: number): Permissions {
  const bits = value | 0;
  const has = (bit: number): boolean => (bits & (1 << (bit - 1))) !== 0;
  const late = revision >= 3;
  const modify = has(4);
  return {
    print: has(3),
    printHighQuality: late ? has(3) && has(12) : has(3),
    modify,
    extract: has(5),
    annotate: has(6),
    fillForms: late ? has(6) || has(9) : has(6),
    accessibility: late ? has(5) || has(10) : has(5),
    assemble: late ? modify || has(11) : modify,
  };
}
