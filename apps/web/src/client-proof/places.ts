import { open, type Place } from '../frame/place.ts';

export const clientProofPlaces: readonly Place[] = [
  {
    name: 'client-proofing',
    path: '/client-proofing/:sessionId/:proofStepId',
    ...open,
    load: async () => (await import('./client-proof-screen.tsx')).ClientProofScreen,
  },
  {
    name: 'delivered',
    path: '/delivered/:secret',
    ...open,
    load: async () => (await import('./delivered-file-screen.tsx')).DeliveredFileScreen,
  },
];
