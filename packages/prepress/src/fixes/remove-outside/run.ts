import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'RemoveOutside'> = () => {
  throw failed('notThere');
};
