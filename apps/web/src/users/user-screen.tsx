import { Screen } from '../frame/screen.tsx';

export function UserScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
