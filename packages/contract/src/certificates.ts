import { z } from 'zod';
import { keptNoteSchema } from './proof-notes.ts';
import { type ProofRecord, proofRecordSchema } from './proofs.ts';

/** File name of the record inside a certificate. */
export const certificateRecordName = 'record.json';

const shaSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** What a certificate of the decisions on a proof says; it is embedded in the PDF that people read. */
export const certificateSchema = z.strictObject({
  format: z.literal('pdf2press-proof-certificate'),
  formatVersion: z.literal(1),
  issuedAt: z.string(),
  /** What the installation is called, and its address. */
  issuer: z.strictObject({ name: z.string(), address: z.string() }),
  sessionId: z.string(),
  proofId: z.string(),
  version: z.int(),
  fileName: z.string(),
  pageCount: z.int(),
  /** The file that was shown and decided on. */
  proofSha256: shaSchema,
  /** The file that went on to production, hashed from its stored bytes when the certificate was made. */
  productionSha256: shaSchema,
  /** The file as it came. */
  originalSha256: shaSchema,
  /**
   * The decisions in their order. `hash` is the SHA-256 of the bytes of `previousHash` and of `text` in UTF-8; `text` is a
   * JSON list: subscriber, number in its chain, id, proof, recipient, decision, record.
   */
  records: z.array(z.strictObject({ previousHash: z.string(), hash: shaSchema, text: z.string() })).min(1),
  /** Lists of notes that are too long for a record, each by its SHA-256, which the record names: JSON in UTF-8. */
  notes: z.record(shaSchema, z.string()).exactOptional(),
});
export type Certificate = z.output<typeof certificateSchema>;

const chainedTextSchema = z.tuple([
  z.string(),
  z.int(),
  z.string(),
  z.string(),
  z.string().nullable(),
  z.string(),
  proofRecordSchema,
]);

/**
 * The decisions of a certificate, each with its notes, wherever they stand.
 * @throws ZodError for a text that is none, and for notes that are missing
 */
export const recordsIn = ({
  records,
  notes,
}: Pick<Certificate, 'records' | 'notes'>): { no: number; record: ProofRecord }[] =>
  records.map(({ text }) => {
    const [, no, , , , , record] = chainedTextSchema.parse(JSON.parse(text));
    const beside = record.notesBeside;
    if (!beside) return { no, record };
    return {
      no,
      record: { ...record, notes: z.array(keptNoteSchema).parse(JSON.parse(notes?.[beside.sha256] ?? 'null')) },
    };
  });
