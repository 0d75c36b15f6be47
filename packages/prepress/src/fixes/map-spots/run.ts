import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'MapSpots'> = () => {
  throw failed('notThere');
};
