import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  data: Uint8Array;
  isEncrypted?: boolean;
  /** A symbolic link of Unix whose target is the data. */
  isLink?: boolean;
  /** Instead of the sum of the data. */
  checksum?: number;
  /** Instead of the length of the data. */
  declaredBytes?: number;
}

const utf8Flag = 0x800;

/** A ZIP, byte by byte (APPNOTE 6.3), also with entries that no packer would write. */
export function buildZip(entries: readonly ZipEntry[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, isEncrypted = false, isLink = false, checksum, declaredBytes } of entries) {
    const [title, packed] = [Buffer.from(name), deflateRawSync(data)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8Flag | (isEncrypted ? 1 : 0), 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(checksum ?? crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declaredBytes ?? data.length, 18);
    common.writeUInt16LE(title.length, 22);
    const rest = Buffer.alloc(14);
    if (isLink) rest.writeUInt32LE(0o120777 * 2 ** 16, 6);
    rest.writeUInt32LE(offset, 10);
    const head = Buffer.concat([Buffer.from('PK\x03\x04'), common, title]);
    local.push(head, packed);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, title);
    offset += head.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, central, Buffer.from('PK\x05\x06'), end]);
}
