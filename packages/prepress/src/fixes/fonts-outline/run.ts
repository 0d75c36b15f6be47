import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'FontsOutline'> = () => {
  throw failed('notThere');
};
