import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepSecret, openInstanceKeys } from '../../secrets/secrets.ts';
import { type Lab, openLab } from '../../testing/lab.ts';
import { hookPurpose } from '../chat/contract.ts';
import { enqueueEffect } from '../enqueue.ts';
import { actionSecretPurpose } from './contract.ts';
import { sweepSecrets } from './sweep-secrets.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
beforeAll(async () => {
  server = await startTestPostgres();
  lab = await openLab(server);
});
afterAll(async () => {
  await lab.close();
  await server.stop();
});

test('a secret that nothing names is removed after a month; one that anything names stays, and so do those of other purposes', async () => {
  const { subscriberId, workflowId } = lab;
  const keys = await openInstanceKeys({ dataDir: lab.folder });
  const other = await lab.addSubscriber();
  const inside = <T>(work: Parameters<typeof lab.deps.database.withSubscriber<T>>[1]) =>
    lab.deps.database.withSubscriber<T>({ subscriberId }, work);
  const keep = (purpose: string) =>
    inside((tx) => keepSecret(tx, keys, { subscriberId, purpose, text: 'long enough' }));
  const [ofDraft, ofVersion, ofCall, ofNobody, young, ofSmtp, ofStranger] = await Promise.all([
    ...Array.from({ length: 5 }, () => keep(actionSecretPurpose)),
    keep('smtp.password'),
    keep(actionSecretPurpose),
  ]);
  const naming = (secretId: string | undefined) => ({ steps: [{ kind: 'Action', settings: { secretId } }] });
  await inside(async (tx) => {
    await tx.workflow.update({ where: { id: workflowId }, data: { draft: naming(ofDraft) } });
    const version = { definition: naming(ofVersion), profiles: {}, hash: '' };
    await tx.workflowVersion.create({ data: { id: newId('workflowVersion'), workflowId, no: 2, ...version } });
    const call = {
      url: 'https://mis.example/',
      method: 'POST' as const,
      headers: [],
      body: '',
      paths: [],
      maxTries: 6,
    };
    await enqueueEffect(tx, {
      kind: 'webhook',
      key: 'one',
      payload: { ...call, secretId: ofCall ?? '', authorizationId: '' },
    });
  });
  const [ofProfile, ofNoProfile] = await Promise.all([keep(hookPurpose), keep(hookPurpose)]);
  await inside(async (tx) => {
    const profile = { id: newId('profile'), kind: 'communication', name: 'Told' };
    await tx.profile.create({ data: profile });
    const settings = { hooks: [{ secretId: ofProfile }] };
    await tx.profileVersion.create({
      data: { id: newId('profileVersion'), profileId: profile.id, no: 1, settings },
    });
  });
  // Another subscriber that names it, by guessing or by an imported file, keeps it from nothing.
  await lab.deps.database.withSubscriber({ subscriberId: other.subscriberId }, (tx) =>
    tx.workflow.update({ where: { id: other.workflowId }, data: { draft: naming(ofStranger) } }),
  );
  await lab.sql.query(`update secrets set created_at = now() - interval '31 days' where id <> $1`, [young]);
  expect(await sweepSecrets(lab.deps)).toBe(3);
  const left = (await lab.sql.query('select id from secrets')).rows.map(({ id }) => id);
  expect(left.toSorted()).toEqual([ofDraft, ofVersion, ofCall, young, ofSmtp, ofProfile].toSorted());
  expect(left).not.toContain(ofNoProfile);
  expect(left).not.toContain(ofNobody);
  expect(await sweepSecrets(lab.deps)).toBe(0);
});
