import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'ImageResolution'> = () => {
  throw failed('notThere');
};
