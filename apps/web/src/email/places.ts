import { IconMail } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const emailPlaces = listAndForm({
  name: 'email',
  nav: { key: 'email', group: 'profiles', rank: 50, icon: IconMail },
  access: ['inboundEmail.view'],
  feature: 'EmailInjection',
  loadList: async () => (await import('./mailboxes-screen.tsx')).MailboxesScreen,
  loadForm: async () => (await import('./mailbox-screen.tsx')).MailboxScreen,
});
