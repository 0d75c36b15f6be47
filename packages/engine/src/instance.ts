import { randomBytes } from 'node:crypto';
import type { Database } from '@pdf2press/prisma';

/** The id of this installation, made on the first call: separates two installations in one Redis. */
export const readInstance = (database: Database): Promise<string> =>
  database.asHost(async (tx) => {
    const name = JSON.stringify(randomBytes(6).toString('hex'));
    await tx.$executeRaw`insert into host_facts (key, value) values ('instance', ${name}::jsonb) on conflict do nothing`;
    const { value } = await tx.hostFact.findUniqueOrThrow({ where: { key: 'instance' } });
    return String(value);
  });
