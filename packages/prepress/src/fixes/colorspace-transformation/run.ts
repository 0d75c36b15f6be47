import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'ColorspaceTransformation'> = () => {
  throw failed('notThere');
};
