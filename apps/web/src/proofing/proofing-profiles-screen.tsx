import { proofingProfileRoutes } from '@pdf2press/contract/calls';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function ProofingProfilesScreen() {
  return <ProfilesScreen kind="proofing" path="/proofing" routes={proofingProfileRoutes} />;
}
