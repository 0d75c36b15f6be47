import { renamingProfileRoutes } from '@pdf2press/contract/calls';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function RenamingProfilesScreen() {
  return <ProfilesScreen kind="renaming" path="/rename" routes={renamingProfileRoutes} />;
}
