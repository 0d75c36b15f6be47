import { IconMessage } from '@tabler/icons-react';
import { form, type Place } from '../frame/place.ts';

export const feedbackPlaces: readonly Place[] = [
  {
    name: 'feedback',
    path: '/feedback',
    ...form,
    access: 'signedIn',
    nav: { key: 'feedback', group: 'system', rank: 95, icon: IconMessage },
    load: async () => (await import('./feedback-screen.tsx')).FeedbackScreen,
  },
];
