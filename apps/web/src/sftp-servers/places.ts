import { IconDownload } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const sftpServerPlaces = listAndForm({
  name: 'sftp-servers',
  nav: { key: 'sftpServer', group: 'profiles', rank: 82, icon: IconDownload },
  access: ['sftpServer.view'],
  loadList: async () => (await import('./sftp-servers-screen.tsx')).SftpServersScreen,
  loadForm: async () => (await import('./sftp-server-screen.tsx')).SftpServerScreen,
});
