import { imposeProfileRoutes } from '@pdf2press/contract/calls';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function ImposeProfilesScreen() {
  return <ProfilesScreen kind="impose" path="/impose" routes={imposeProfileRoutes} />;
}
