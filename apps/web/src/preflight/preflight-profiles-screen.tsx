import { Screen } from '../frame/screen.tsx';

export function PreflightProfilesScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
