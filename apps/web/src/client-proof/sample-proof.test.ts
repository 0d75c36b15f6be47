import { approvalPolicies, clientProofSchema, type ProofProfile, proofProfileSchema } from '@pdf2press/contract';
import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { sampleClientFindings, sampleClientProof, sampleWatermark, screensOf } from './sample-proof.ts';

const t = ((key: string) => key) as TFunction;
const of = (settings: object) => ({
  settings: proofProfileSchema.parse(settings) as ProofProfile,
  policy: 'ConfirmIfError' as const,
  house: { title: 'Paper + Ink', organization: null },
  screen: 'proof' as const,
});
const shown = (settings: object) =>
  sampleClientProof(of(settings), { t, locale: 'fr', now: Date.parse('2026-11-26T12:00:00Z') });
const found = (settings: object) => sampleClientFindings(of(settings), t).map(({ id, isToAccept }) => [id, isToAccept]);

test.each(approvalPolicies)('%s: the preview is what the server could answer', (approvalPolicy) => {
  expect(clientProofSchema.parse(shown({ approvalPolicy }))).toEqual(shown({ approvalPolicy }));
});

test('what approving needs and which findings are shown follow the policy, the house’s where the profile has none', () => {
  expect(shown({}).form?.approval).toEqual({ need: 'acceptance', count: 1, digest: '' });
  expect(found({})).toEqual([
    ['resolution', true],
    ['colour', false],
  ]);
  expect(found({ reportFilter: 'Errors' })).toEqual([['resolution', true]]);
  expect(shown({ approvalPolicy: 'ConfirmIfWarnOrError' }).form?.approval).toMatchObject({ count: 2 });
  expect(shown({ approvalPolicy: 'Decline' }).form?.approval).toEqual({ need: 'impossible' });
  const silent = { approvalPolicy: 'AlwaysApprove', show: { findings: false } };
  expect(shown(silent).form?.approval).toEqual({ need: 'nothing' });
  expect(found(silent)).toEqual([]);
});

test('who is asked stands in its order, and who comes later waits', () => {
  const anna = { kind: 'address', address: 'anna@customer.test', name: 'Anna' };
  const ben = { kind: 'address', address: 'ben@customer.test' };
  const states = (settings: object) => shown(settings).recipients.map(({ name, state }) => [name, state]);
  expect(states({ approvers: [anna, ben], mode: 'Sequence' })).toEqual([
    ['Anna', 'Asked'],
    ['ben@customer.test', 'Waiting'],
  ]);
  expect(states({ approvers: [anna, { ...ben, isGatekeeper: true }] })).toEqual([
    ['ben@customer.test', 'Asked'],
    ['Anna', 'Waiting'],
  ]);
  expect(states({})).toHaveLength(1);
});

test('deadline, texts in the reader’s language and what may be done are those of the profile', () => {
  const proof = shown({
    deadlineHours: 24,
    legalText: { en: 'You are liable.', fr: 'Vous êtes responsable.' },
    checkboxes: [{ id: 'size', text: { en: 'The size is right' } }],
    allowNotes: false,
    allowDownload: 'lowResolution',
    allowReplaceFile: false,
  });
  expect(proof).toMatchObject({
    dueAt: '2026-11-27T12:00:00.000Z',
    canReplaceFile: false,
    canNote: false,
    shows: { download: 'lowResolution', notes: false },
    form: { legalText: 'Vous êtes responsable.', checkboxes: [{ id: 'size', text: 'The size is right' }] },
  });
});

test('the screens of a profile are those that its links come to', () => {
  const screens = (settings: object) => screensOf(of(settings).settings);
  expect(screens({})).toEqual(['proof']);
  expect(screens({ isSingleUse: true })).toEqual(['proof', 'used']);
  expect(screens({ isSingleUse: true, linkProtection: 'code' })).toEqual(['proof', 'guarded', 'used']);
});

test('the words of the watermark have the values of the sample; a name without one stands for itself', () => {
  const watermark = 'Proof {{proof.version}} of {{FILE.baseName|upper}}, order {{order.id}}, for {{recipient.name}}';
  const { settings } = of({ allowDownload: 'lowResolution', watermark });
  expect(sampleWatermark(settings, shown({}), 'en')).toBe('Proof 1 of A6, order {order.id}, for Anna Weber');
});
