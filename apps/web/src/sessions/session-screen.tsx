import { Screen } from '../frame/screen.tsx';

export function SessionScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
