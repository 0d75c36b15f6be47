import { Screen } from '../frame/screen.tsx';

export function RolesScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
