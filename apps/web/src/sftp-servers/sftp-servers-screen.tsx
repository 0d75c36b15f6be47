import { sftpServerRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function SftpServersScreen() {
  const { t } = useTranslation();
  return (
    <ProfilesScreen
      kind="sftpServer"
      path="/sftp-servers"
      routes={sftpServerRoutes}
      deleteText={t('sftp.deleteText')}
    />
  );
}
