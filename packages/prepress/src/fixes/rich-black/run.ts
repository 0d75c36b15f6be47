import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'RichBlack'> = () => {
  throw failed('notThere');
};
