import { IconSitemap } from '@tabler/icons-react';
import { list, type Place } from '../frame/place.ts';

const shared = {
  ...list,
  access: ['workflows.view'],
  nav: { key: 'workflows', group: 'work', rank: 30, icon: IconSitemap, letter: 'w' },
} as const;

export const workflowPlaces: readonly Place[] = [
  {
    name: 'workflows',
    path: '/workflows',
    ...shared,
    load: async () => (await import('./workflows-screen.tsx')).WorkflowsScreen,
  },
  {
    name: 'workflow-form',
    path: '/workflows/:action/:id?',
    ...shared,
    height: 'fixed',
    load: async () => {
      const words = import('./step-words.ts').then(({ stepWords }) => stepWords());
      const [{ WorkflowScreen }] = await Promise.all([import('./workflow-screen.tsx'), words]);
      return WorkflowScreen;
    },
  },
];
