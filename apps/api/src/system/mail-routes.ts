import { routes } from '@pdf2press/contract';
import { effectContracts, retryEffect } from '@pdf2press/engine';
import { listKeptMail } from '@pdf2press/mail';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { withoutLinks } from './without-links.ts';

const shown = 100;

/** Messages kept because no mail server is set, those not delivered yet, and those given up. */
export function bindMail(bind: Bind, deps: ApiDeps): void {
  const { system } = routes;

  bind(system.keptMail, async ({ caller }) => {
    const mails = await listKeptMail(deps.mail.keepFolder, caller.subscriberId);
    return caller.hostPermissions.size > 0 ? mails : mails.map((mail) => ({ ...mail, text: withoutLinks(mail.text) }));
  });

  bind(system.openMail, async ({ caller }) => {
    const rows = await asCaller(deps, caller, (tx) =>
      tx.effect.findMany({
        where: { kind: 'mail', state: { not: 'Done' } },
        orderBy: { createdAt: 'desc' },
        take: shown,
      }),
    );
    return rows.map((row) => {
      const { to, template } = effectContracts.mail.payload.parse(row.payload);
      return {
        id: row.id,
        to,
        template,
        isDead: row.state === 'Dead',
        attempts: row.attempt,
        lastError: row.lastError,
        createdAt: row.createdAt.toISOString(),
        nextAt: row.state === 'Dead' ? null : row.nextAt.toISOString(),
      };
    });
  });

  bind(system.retryMail, async ({ caller, request, params }) => {
    await asCaller(deps, caller, async (tx) => {
      found((await retryEffect(tx, { id: params.id, kind: 'mail' })) || null);
      await audit(tx, request, { act: 'mail.retry', object: params.id });
    });
    return {};
  });
}
