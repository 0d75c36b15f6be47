import { IconMail } from '@tabler/icons-react';
import { listAndForm, open, type Place } from '../frame/place.ts';

export const emailPlaces = listAndForm({
  name: 'email',
  nav: { key: 'email', group: 'profiles', rank: 50, icon: IconMail },
  access: ['inboundEmail.view'],
  feature: 'EmailInjection',
  loadList: async () => (await import('./mailboxes-screen.tsx')).MailboxesScreen,
  loadForm: async () => (await import('./mailbox-screen.tsx')).MailboxScreen,
});

export const emailCallbackPlaces: readonly Place[] = [
  {
    name: 'email-callback',
    path: '/email/callback',
    ...open,
    load: async () => (await import('./email-callback-screen.tsx')).EmailCallbackScreen,
  },
];
