/* Exported as `@pdf2press/sources/testing-winmail`: what Outlook makes of attachments, for the tests of any package. */

/** An attachment to pack, or a mail with attachments of its own. */
export interface PackedPart {
  /** Its long name in Unicode. */
  name?: string;
  content?: Buffer | string;
  /** Its short name, in the code page of the mail. */
  title?: Buffer | string;
  mediaType?: string;
  contentId?: string;
  /** 4: the text of the mail shows it. */
  flags?: number;
  isHidden?: boolean;
  /** 1: a file; 6: another program draws it. */
  method?: number;
  /** Its bytes stand among its properties. */
  isAmongProperties?: boolean;
  /** It is a mail. */
  mail?: Winmail;
  /** Properties that are put before the others, as they are in the stream. */
  properties?: readonly Buffer[];
}

export interface Winmail {
  codePage?: number;
  parts: readonly PackedPart[];
}

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const filled = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

/** An attribute with its checksum. `level` 1 is of the mail, 2 of an attachment. */
export function attributeOf(level: 1 | 2, id: number, value: Buffer): Buffer {
  const sum = value.reduce((all, byte) => (all + byte) % 0x1_0000, 0);
  return Buffer.concat([Buffer.from([level]), u32(id), u32(value.length), value, u16(sum)]);
}

/** A property of fixed length; `type` and `id` as MAPI numbers them. */
export const fixedProperty = (type: number, id: number, value: Buffer): Buffer =>
  Buffer.concat([u16(type), u16(id), filled(value)]);

const variableProperty = (type: number, id: number, value: Buffer): Buffer =>
  Buffer.concat([u16(type), u16(id), u32(1), u32(value.length), filled(value)]);

const textProperty = (id: number, text: string): Buffer =>
  variableProperty(0x001f, id, Buffer.from(`${text}\0`, 'utf16le'));

/** A property that its writer has given a name. */
export const namedProperty = (name: string, value: Buffer): Buffer => {
  const text = Buffer.from(`${name}\0`, 'utf16le');
  const guid = Buffer.alloc(16, 7);
  return Buffer.concat([
    u16(0x0102),
    u16(0x8001),
    guid,
    u32(1),
    u32(text.length),
    filled(text),
    u32(1),
    u32(value.length),
    filled(value),
  ]);
};

const interfaces = {
  mail: Buffer.from('0703020000000000c000000000000046', 'hex'),
  storage: Buffer.from('0b00000000000000c000000000000046', 'hex'),
};

function attributesOfPart(part: PackedPart): Buffer[] {
  const { name, content = '', title, mediaType, contentId, flags, isHidden, mail, isAmongProperties } = part;
  const method = part.method ?? (mail ? 5 : 1);
  const bytes = Buffer.from(content);
  const isDrawn = method === 6;
  const object = mail
    ? Buffer.concat([interfaces.mail, composeWinmail(mail)])
    : Buffer.concat([interfaces.storage, bytes]);
  const properties = [
    ...(part.properties ?? []),
    fixedProperty(0x0003, 0x3705, u32(method)),
    ...(name === undefined ? [] : [textProperty(0x3707, name)]),
    ...(mediaType === undefined ? [] : [textProperty(0x370e, mediaType)]),
    ...(contentId === undefined ? [] : [textProperty(0x3712, contentId)]),
    ...(flags === undefined ? [] : [fixedProperty(0x0003, 0x3714, u32(flags))]),
    ...(isHidden === undefined ? [] : [fixedProperty(0x000b, 0x7ffe, u16(isHidden ? 1 : 0))]),
    ...(mail || isDrawn ? [variableProperty(0x000d, 0x3701, object)] : []),
    ...(isAmongProperties ? [variableProperty(0x0102, 0x3701, bytes)] : []),
  ];
  return [
    attributeOf(2, 0x0006_9002, Buffer.concat([u16(isDrawn ? 2 : 1), u32(0xffff_ffff), Buffer.alloc(8)])),
    ...(title === undefined
      ? []
      : [attributeOf(2, 0x0001_8010, Buffer.concat([Buffer.from(title), Buffer.from([0])]))]),
    ...(mail || isDrawn || isAmongProperties ? [] : [attributeOf(2, 0x0006_800f, bytes)]),
    attributeOf(2, 0x0006_9005, Buffer.concat([u32(properties.length), ...properties])),
  ];
}

/** The bytes of a `winmail.dat` [MS-OXTNEF]. */
export function composeWinmail({ codePage = 1252, parts }: Winmail): Buffer {
  return Buffer.concat([
    u32(0x223e_9f78),
    u16(1),
    attributeOf(1, 0x0008_9006, u32(0x0001_0000)),
    attributeOf(1, 0x0006_9007, Buffer.concat([u32(codePage), u32(0)])),
    attributeOf(1, 0x0007_8008, Buffer.from('IPM.Microsoft Mail.Note\0')),
    ...parts.flatMap(attributesOfPart),
  ]);
}
