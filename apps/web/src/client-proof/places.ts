import { open, type Place } from '../frame/place.ts';

const loadPreview = async () => {
  const words = import('../demo/words/load-words.ts').then(({ demoWords }) => demoWords());
  const screen = await import('./proof-preview-screen.tsx');
  await words;
  return screen.ProofPreviewScreen;
};

export const clientProofPlaces: readonly Place[] = [
  {
    name: 'client-proofing',
    path: '/client-proofing/:sessionId/:proofStepId',
    ...open,
    load: async () => (await import('./client-proof-screen.tsx')).ClientProofScreen,
    ask: (address) => void import('./ask-early.ts').then(({ askForProof }) => askForProof(address)),
  },
  { name: 'client-proofing-preview', path: '/proofing-preview', ...open, load: loadPreview },
  {
    name: 'delivered',
    path: '/delivered/:secret',
    ...open,
    load: async () => (await import('./delivered-file-screen.tsx')).DeliveredFileScreen,
  },
];
