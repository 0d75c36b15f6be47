import { imposeProfileRoutes } from '@pdf2press/contract';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function ImposeProfilesScreen() {
  return <ProfilesScreen kind="impose" path="/impose" routes={imposeProfileRoutes} />;
}
