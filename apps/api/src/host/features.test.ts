import {
  type FeatureKey,
  featureKeys,
  type StepKind,
  type SystemSettings,
  type WorkflowIssue,
} from '@pdf2press/contract';
import { sourceContracts } from '@pdf2press/sources/contracts';
import { stepContracts } from '@pdf2press/steps/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routeTable } from '../frame/bind.ts';
import { type Answer, type Lab, type SignedIn, startLab } from '../testing/lab.ts';

/** Every feature of the plan guards something, and each of its doors is tried with and without it. */
let lab: Lab;
let ana: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
});
afterAll(() => lab.stop());

async function setFeatures(keys: readonly FeatureKey[]): Promise<void> {
  const { subscriberId } = ana;
  await lab.deps.db.asHost(async (tx) => {
    await tx.feature.deleteMany({ where: { subscriberId } });
    await tx.feature.createMany({ data: keys.map((featureKey) => ({ subscriberId, featureKey })) });
  });
  lab.deps.callers.forget();
}

const codes = ({ envelope }: Answer<unknown>) => envelope.errors.map(({ code }) => code);

/** Codes of a call that the plan may refuse. */
const call = (method: 'POST' | 'PUT' | 'GET', url: string, body?: object) => async (): Promise<string[]> =>
  codes(await lab.call(method, url, { as: ana, ...(body && { body }) }));
const profile = (kind: string) => call('POST', `/profiles/${kind}`, { name: 'A', settings: {} });

/** Codes of what keeps a workflow with such a step, or with files from such a source, from being published. */
const step =
  (kind: StepKind, settings: object = {}) =>
  async (): Promise<string[]> => {
    const definition = {
      steps: [
        { id: 'inject', kind: 'Inject', ...(kind === 'Inject' && { settings }) },
        ...(kind === 'Inject' ? [] : [{ id: 'it', kind, settings }]),
        { id: 'complete', kind: 'Complete' },
      ],
      edges: [],
      variables: [],
    };
    const { result } = await lab.call<WorkflowIssue[]>('POST', '/workflows/validate', {
      as: ana,
      body: { definition },
    });
    return result.map(({ code }) => code);
  };

const archivingSettings = async (): Promise<string[]> => {
  const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as: ana });
  const config = { ...result.archivingSettings.config, region: `region-${Math.random().toString(36).slice(2)}` };
  const answer = await lab.call('PUT', '/SystemSettings', {
    as: ana,
    body: { ...result, archivingSettings: { ...result.archivingSettings, config } },
  });
  return codes(answer);
};

const doors: Record<FeatureKey, Record<string, () => Promise<string[]>>> = {
  ActionStep: { 'its step': step('Action') },
  FileRenaming: { 'its step': step('Rename'), 'its profiles': profile('renaming') },
  Imposition: { 'its step': step('Impose'), 'its profiles': profile('impose') },
  Archiving: {
    'its profiles': profile('archiving'),
    'its overview': call('GET', '/archiving/overview'),
    'its settings': archivingSettings,
    'the test of its connection': call('POST', '/SystemSettings/testAchiveConnection', {}),
    'archiving sessions': call('POST', '/sessions/bulk', { action: 'archive', ids: ['ses_none'] }),
    'bringing sessions back': call('POST', '/sessions/bulk', { action: 'unarchive', ids: ['ses_none'] }),
  },
  EmailInjection: {
    'its profiles': profile('inboundEmail'),
    'the test of a mailbox': call('POST', '/profiles/inboundEmail-test', { settings: {} }),
  },
  CloudInjection: {
    'its profiles': profile('cloudStorage'),
    'the test of a folder': call('POST', '/profiles/cloudStorage-test', { settings: {} }),
  },
};
const refusals = ['access.featureNotInPlan', 'workflow.featureNotInPlan'];
const isRefused = (told: readonly string[]) => told.some((code) => refusals.includes(code));

test.each(
  Object.entries(doors).flatMap(([key, of]) => Object.entries(of).map(([name, door]) => ({ key, name, door }))),
)('$key: $name', async ({ key, door }) => {
  await setFeatures(featureKeys.filter((other) => other !== key));
  expect(isRefused(await door())).toBe(true);
  await setFeatures([key as FeatureKey]);
  expect(isRefused(await door())).toBe(false);
});

test('what the plan lacks can still be read', async () => {
  await setFeatures([]);
  for (const kind of ['impose', 'renaming', 'archiving', 'inboundEmail', 'cloudStorage'])
    expect((await lab.call('GET', `/profiles/${kind}`, { as: ana })).statusCode, kind).toBe(200);
});

test('what names a feature is among these doors, and nothing names one that is none', () => {
  const named = [
    ...routeTable.flatMap(({ feature }) => feature ?? []),
    ...Object.values(stepContracts).flatMap((contract) => ('feature' in contract && contract.feature) || []),
    ...Object.values(sourceContracts).flatMap((contract) => ('feature' in contract && contract.feature) || []),
  ];
  expect([...new Set(named)].sort()).toEqual([...featureKeys].sort());
  expect(Object.keys(doors).sort()).toEqual([...featureKeys].sort());
});
