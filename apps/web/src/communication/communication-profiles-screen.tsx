import { communicationProfileRoutes } from '@pdf2press/contract/calls';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function CommunicationProfilesScreen() {
  return <ProfilesScreen kind="communication" path="/communication" routes={communicationProfileRoutes} />;
}
