import { Screen } from '../frame/screen.tsx';

export function PreflightProfileScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
