import { Screen } from '../frame/screen.tsx';

export function NotificationsScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
