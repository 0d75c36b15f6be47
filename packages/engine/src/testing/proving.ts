import { proofProfileSchema, type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';

/** A workflow that proves each file, for tests: Inject, Proof with this profile, and an end behind each exit. */
export function proving(profile: Record<string, unknown>): { definition: WorkflowDefinition; profiles: object } {
  const definition = workflowDefinitionSchema.parse({
    variables: [{ name: 'customer', type: 'String', default: 'carla@example.com; dora@example.com' }],
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'proof', kind: 'Proof', settings: { profileId: 'prf_1', hasExpiredExit: true } },
      { id: 'yes', kind: 'Complete' },
      { id: 'no', kind: 'Cancel', settings: { reason: 'declined' } },
      { id: 'late', kind: 'Cancel', settings: { reason: 'late' } },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'proof' },
      { id: 'b', from: 'proof', outcome: 'Approved', to: 'yes' },
      { id: 'c', from: 'proof', outcome: 'Declined', to: 'no' },
      { id: 'd', from: 'proof', outcome: 'Expired', to: 'late' },
    ],
  });
  const settings = proofProfileSchema.parse({ isNameRequired: false, isReasonRequired: false, ...profile });
  return { definition, profiles: { prf_1: { id: 'prf_1', kind: 'proofing', name: 'Strict', version: 1, settings } } };
}

/** Approvers by their addresses. */
export const asked = (...addresses: string[]) => addresses.map((address) => ({ kind: 'address', address }));
