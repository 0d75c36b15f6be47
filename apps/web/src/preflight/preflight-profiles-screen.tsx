import { preflightProfileRoutes } from '@pdf2press/contract';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function PreflightProfilesScreen() {
  return <ProfilesScreen kind="preflight" path="/preflight" routes={preflightProfileRoutes} />;
}
