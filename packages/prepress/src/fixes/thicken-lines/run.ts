import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'ThickenLines'> = () => {
  throw failed('notThere');
};
