import { Screen } from '../frame/screen.tsx';

export function WorkflowScreen() {
  return <Screen title="" state={{ kind: 'notYet' }} />;
}
