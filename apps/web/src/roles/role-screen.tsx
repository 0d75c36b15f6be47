import { Screen } from '../frame/screen.tsx';

export function RoleScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
