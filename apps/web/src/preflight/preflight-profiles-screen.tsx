import { preflightProfileRoutes } from '@pdf2press/contract/calls';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function PreflightProfilesScreen() {
  return <ProfilesScreen kind="preflight" path="/preflight" routes={preflightProfileRoutes} />;
}
