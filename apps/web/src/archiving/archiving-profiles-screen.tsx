import { archivingProfileRoutes } from '@pdf2press/contract/calls';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';
import { ArchiveOverview } from './archive-overview.tsx';

export const ArchivingProfilesScreen = () => (
  <ProfilesScreen kind="archiving" path="/archiving" routes={archivingProfileRoutes} above={<ArchiveOverview />} />
);
