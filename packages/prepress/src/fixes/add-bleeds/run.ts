import { failed, type FixRunner } from '../runner.ts';

export const run: FixRunner<'AddBleeds'> = () => {
  throw failed('notThere');
};
