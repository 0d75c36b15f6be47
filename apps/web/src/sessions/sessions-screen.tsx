import { Screen } from '../frame/screen.tsx';

export function SessionsScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
