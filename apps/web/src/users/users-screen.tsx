import { Screen } from '../frame/screen.tsx';

export function UsersScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
