import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { decodedMail, startMailServer } from '@pdf2press/mail/testing';
import { buildZip } from '@pdf2press/pdf/testing';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { hasDovecot, startDovecot } from '@pdf2press/sources/testing';
import { expect, test } from 'vitest';
import { startWorker } from './testing/api-process.ts';
import { contentOf } from './testing/content.ts';
import { openHouse } from './testing/house.ts';

const zeros = Buffer.alloc(70 * 2 ** 20);
const zip = (name: string, declaredBytes?: number) => ({
  name,
  type: 'application/zip',
  content: buildZip([{ name: 'card.pdf', data: zeros, ...(declaredBytes !== undefined && { declaredBytes }) }]),
});

test.runIf(hasDovecot)(
  'who sends a bomb or a file that nothing can open is told by mail, once and in their language: at once where the ZIP says it, else when it was opened',
  async () => {
    const postgres = await startTestPostgres();
    const mailboxes = await startDovecot();
    const smtp = await startMailServer(decodedMail);
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-unusable-'));
    const house = await openHouse(postgres.migratedUrl, dataDir);
    const worker = startWorker({
      ...{ DATABASE_URL: postgres.migratedUrl, DATA_DIR: dataDir, OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' },
      ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port), SMTP_ENABLE_SSL: 'false' },
    });
    try {
      const user = 'unusable';
      await house.addMailbox(mailboxes, user, { fileTypes: ['PDF', 'ZIP'] });
      await mailboxes.put(user, {
        from: 'ben@example.com',
        messageId: '<order-17@example.com>',
        headers: ['Accept-Language: it-IT'],
        attachments: [
          { name: 'visit-us-at-evil.example.pdf', content: '%PDF-1.4 nothing else' },
          zip('bomb.zip'),
          zip('liar.zip', 1_000),
        ],
      });
      await mailboxes.put(user, { attachments: [{ name: 'sound.pdf', content: contentOf('sound') }] });
      house.start();
      const inHouse = <T>(work: Parameters<typeof house.database.withSubscriber<T>>[1]) =>
        house.database.withSubscriber<T>({ subscriberId: house.subscriberId }, work);
      const ended = () =>
        inHouse(async (tx) =>
          (await tx.session.findMany({ orderBy: { fileName: 'asc' } })).map(({ fileName, status }) => [
            fileName,
            status,
          ]),
        );
      await expect.poll(ended).toEqual([
        ['liar.zip', 'Failed'],
        ['sound.pdf', 'Completed'],
        ['visit-us-at-evil.example.pdf', 'Failed'],
      ]);
      expect(
        await inHouse((tx) =>
          tx.ingestItem.findMany({ where: { state: 'Rejected' }, select: { name: true, reason: true } }),
        ),
      ).toEqual([{ name: 'bomb.zip', reason: 'file.zipTooLarge' }]);
      // As if the half minute had passed in which what is found out about one mail is gathered.
      await inHouse(
        (tx) => tx.$executeRaw`
          update effects set next_at = clock_timestamp() where payload ->> 'template' = 'mailUnusable' and state = 'Pending'`,
      );
      const unsent = () => inHouse((tx) => tx.effect.count({ where: { kind: 'mail', state: { not: 'Done' } } }));
      await expect.poll(unsent).toBe(0);
      const to = (address: string) => smtp.received.filter((mail) => mail.to === address).map(({ text }) => text);
      expect(to('anna@example.com')).toHaveLength(1);
      const [first = '', second = '', ...more] = to('ben@example.com');
      expect(more).toEqual([]);
      expect(first).toMatch(/^2: Lo ZIP non è stato accettato/m);
      expect(second).toMatch(/^In-Reply-To: <order-17@example\.com>/m);
      expect(second).toContain('all’apertura non tutti si sono rivelati utilizzabili');
      expect(second).toMatch(/^1: Il PDF/m);
      expect(second).toMatch(/^3: Lo ZIP/m);
      // None of their own words is sent to an address that somebody may have made up.
      expect(`${first}${second}`).not.toContain('evil.example');
      const reference = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(first)?.[0];
      expect(second).toContain(reference);
      // The address is nowhere in what is never changed.
      const history = await inHouse((tx) => tx.sessionEvent.findMany({ where: { kind: 'Created' } }));
      expect(history.map(({ data }) => JSON.stringify(data)).join()).not.toContain('order-17@example.com');
    } finally {
      await worker.close();
      await house.close();
      await smtp.stop();
      await mailboxes.stop();
      await postgres.stop();
    }
  },
);
