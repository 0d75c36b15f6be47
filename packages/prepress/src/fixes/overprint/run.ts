import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'Overprint'> = () => {
  throw failed('notThere');
};
