import { Screen } from '../frame/screen.tsx';

export function SettingsScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
