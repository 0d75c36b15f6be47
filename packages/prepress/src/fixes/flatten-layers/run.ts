import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'FlattenLayers'> = () => {
  throw failed('notThere');
};
