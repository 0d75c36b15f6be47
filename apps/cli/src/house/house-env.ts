import path from 'node:path';
import { type HouseEnv, readHouseEnv } from '@pdf2press/engine/env';
import { repositoryRoot } from './root.ts';

/** The environment as the apps will read it: a wrong value is told here, once, before anything starts. @throws EnvError */
export const readStartEnv = (): HouseEnv =>
  readHouseEnv({ ...process.env, DATA_DIR: path.resolve(repositoryRoot, process.env.DATA_DIR || '.data') });
