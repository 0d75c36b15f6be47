import { fixProfileRoutes } from '@pdf2press/contract/calls';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function FixProfilesScreen() {
  return <ProfilesScreen kind="fix" path="/fix" routes={fixProfileRoutes} />;
}
