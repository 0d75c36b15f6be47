import { randomBytes } from 'node:crypto';
import type { Database } from '@pdf2press/prisma';

/** The name of this installation, made by whoever asks first: keeps two of them apart in one Redis. */
export const readInstance = (database: Database): Promise<string> =>
  database.asHost(async (tx) => {
    const name = JSON.stringify(randomBytes(6).toString('hex'));
    await tx.$executeRaw`insert into host_facts (key, value) values ('instance', ${name}::jsonb) on conflict do nothing`;
    const { value } = await tx.hostFact.findUniqueOrThrow({ where: { key: 'instance' } });
    return String(value);
  });
