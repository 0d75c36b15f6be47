import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'FlatteningTransparencies'> = () => {
  throw failed('notThere');
};
