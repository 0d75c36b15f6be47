import { Screen } from '../frame/screen.tsx';

export function WorkflowsScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
