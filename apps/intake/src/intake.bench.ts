import { randomBytes } from 'node:crypto';
import { type BenchRow, treeMemory } from '@pdf2press/config/bench';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { hasDovecot, startDovecot } from '@pdf2press/sources/testing';
import { setup } from './testing/bundle-intake.ts';
import { openHouse } from './testing/house.ts';

const mails = 1_000;
/** Bytes of the attached PDF: with its lines of base64 and its head a mail has 1 MB. */
const attachedBytes = 720_000;
/** Mails before memory is first looked at: by then everything that an intake loads is loaded. */
const warmUp = 50;
const user = 'bench';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A PDF for the intake, which looks at its first bytes only; the rest is random, so that no two are alike. */
const somePdf = (): string => `%PDF-1.4\n${randomBytes((attachedBytes * 3) / 4).toString('base64')}`;

/**
 * Mails of 1 MB in a mailbox of Dovecot on this machine, until each is a session with its file in the store: how many a
 * second, and by how much the memory of the intake grows.
 */
export async function bench(): Promise<BenchRow[]> {
  if (!hasDovecot) return [];
  await setup();
  const postgres = await startTestPostgres();
  const server = await startDovecot();
  const house = await openHouse(postgres.migratedUrl);
  try {
    await server.putMany(
      user,
      Array.from({ length: mails }, (_, no) => () => ({
        attachments: [{ name: `order-${no}.pdf`, content: somePdf() }],
      })),
    );
    await house.addMailbox(server, user);
    const sessions = () =>
      house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) => tx.session.count());
    const { child } = house.start();
    let count = 0;
    let from = { at: 0, count: 0, memory: 0 };
    let peak = 0;
    while (count < mails) {
      await pause(100);
      if (child.exitCode !== null) throw new Error(`the intake ended with ${child.exitCode}`);
      count = await sessions();
      const memory = treeMemory(child.pid ?? 0);
      if (from.at === 0 && count >= warmUp) from = { at: performance.now(), count, memory };
      peak = Math.max(peak, memory);
    }
    const seconds = (performance.now() - from.at) / 1000;
    return [
      {
        name: 'intake: mails of 1 MB that become sessions, from a server of this machine',
        ours: (count - from.count) / seconds,
        unit: 'mails/s',
        limit: 20,
        isFloor: true,
      },
      {
        name: `intake: memory it grows by from the ${warmUp}th to the ${mails}th mail`,
        ours: (peak - from.memory) / 1e6,
        unit: 'MB',
        limit: 30,
      },
    ];
  } finally {
    await house.close();
    await server.stop();
    await postgres.stop();
  }
}
