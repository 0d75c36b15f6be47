import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, patience } from './house.ts';

interface KeptMail {
  to: string;
  text: string;
}

/** A published workflow that checks every file and asks this person; what is declined is canceled. */
export async function makeProvingWorkflow(page: Page, email: string, settings: object = {}): Promise<string> {
  const mark = `${Date.now()}`;
  const check = { checks: [{ key: 'PageCount', settings: { max: 1 } }] };
  const make = async (kind: string, given: object) =>
    (await ask<{ id: string }>(page, 'POST', `/profiles/${kind}`, { name: `Proof ${kind} ${mark}`, settings: given }))
      .id;
  const approvers = [{ kind: 'address', address: email, name: 'Carla Rossi' }];
  return makePublished(page, {
    name: `Proof ${mark}`,
    steps: [
      stepOf('Inject'),
      stepOf('Preflight', { profileId: await make('preflight', check) }),
      stepOf('Proof', { profileId: await make('proofing', { approvers, ...settings }) }),
      stepOf('Complete'),
      stepOf('Cancel', { reason: 'The customer wants changes' }),
    ],
    ways: ['inject done preflight', 'preflight done proof', 'proof Approved complete', 'proof Declined cancel'],
  });
}

/** Path of the newest link that was mailed to this address. */
export async function linkFor(page: Page, email: string): Promise<string> {
  let link = '';
  await expect
    .poll(
      async () => {
        const mails = await ask<KeptMail[]>(page, 'GET', '/kept-mail');
        const found = mails.map(({ to, text }) =>
          to === email ? /\/client-proofing\/[\w-]+\/[\w-]+/.exec(text) : null,
        );
        link = found.find(Boolean)?.[0] ?? '';
        return link;
      },
      { timeout: patience },
    )
    .not.toBe('');
  return link;
}
