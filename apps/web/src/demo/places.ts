import { open, type Place } from '../frame/place.ts';

const load = async () => {
  const words = import('./words/load-words.ts').then(({ demoWords }) => demoWords());
  const steps = import('../workflows/step-words.ts').then(({ stepWords }) => stepWords());
  const screen = await import('./demo-screen.tsx');
  await Promise.all([words, steps]);
  return screen.DemoScreen;
};

export const demoPlaces: readonly Place[] = [
  { name: 'demo', path: '/demo', ...open, load },
  // The specification has a second address for the same tour.
  { name: 'demo-old', path: '/demonstration', ...open, load },
];
